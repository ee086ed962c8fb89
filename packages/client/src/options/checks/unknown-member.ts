import type { Names } from './argument-names.ts';

/**
 * A member that nobody asks for; nothing where there is none. One whose value is `undefined` counts
 * as absent.
 */
export function unknownMember(value: object, names: Names): string | undefined {
  return Object.entries(value).find(
    ([name, member]) => member !== undefined && !Object.hasOwn(names, name),
  )?.[0];
}
