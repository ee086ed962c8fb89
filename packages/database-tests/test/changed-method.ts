import { vi } from 'vitest';

type MethodOf<On, Name extends keyof On> = On[Name] extends (...given: never[]) => unknown
  ? On[Name]
  : never;

/**
 * Puts a function in place of a method, until vitest restores what was spied on.
 *
 * @param by gets the method of the object, and what it was called with
 */
export function changeMethod<On extends object, Name extends keyof On & string>(
  { prototype }: { readonly prototype: On },
  name: Name,
  by: (
    run: MethodOf<On, Name>,
    ...given: Parameters<MethodOf<On, Name>>
  ) => ReturnType<MethodOf<On, Name>>,
): void {
  const method = Reflect.get(prototype, name) as MethodOf<On, Name>;
  function changed(this: On, ...given: Parameters<MethodOf<On, Name>>): unknown {
    return by(method.bind(this) as MethodOf<On, Name>, ...given);
  }
  vi.spyOn(prototype, name as never).mockImplementation(changed as never);
}
