import type { Names } from './argument-names.ts';

/** The first unknown member, if any; `undefined` counts as absent. */
export function unknownMember(value: object, names: Names): string | undefined {
  return Object.entries(value).find(
    ([name, member]) => member !== undefined && !Object.hasOwn(names, name),
  )?.[0];
}
