import type { Column, KeyCandidate, Relation } from './relation.ts';

/**
 * Those keys of a relation that a view of it shows whole.
 *
 * @param nameOf the columns of the view, by those of the relation that they show as they are
 */
export function keysShown(
  keys: readonly KeyCandidate[],
  nameOf: ReadonlyMap<unknown, string | undefined>,
): KeyCandidate[] {
  return keys.flatMap((key): KeyCandidate[] => {
    const parts = key.flatMap((part) => {
      const column = nameOf.get(part.column);
      return column === undefined ? [] : { ...part, column };
    });
    return parts.length === key.length ? [parts] : [];
  });
}

/** A view with keys, whose columns are never NULL; as it is where there is none. */
export function withKeys(view: Relation, keys: readonly KeyCandidate[]): Relation {
  if (keys.length === 0) return view;
  const inKeys = new Set(keys.flat().map(({ column }) => column));
  const columns = view.columns.map((column): Column =>
    inKeys.has(column.name) ? { ...column, nullable: false } : column,
  );
  return { ...view, columns, keys };
}
