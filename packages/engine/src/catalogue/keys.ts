import type { Column, KeyCandidate, NearKey, Relation } from './relation.ts';

/** A unique index, as the database describes it. */
export interface UniqueIndex {
  /** Those of its parts that are columns, each with the collation that compares its values. */
  readonly columns: KeyCandidate;
  /** The same where they order rows. Default: as above. */
  readonly key?: KeyCandidate;
  /** What keeps it from being a key even where none of its columns is NULL. */
  readonly why?: NearKey['why'] | undefined;
  /** Whether it is checked when a transaction ends, and not with each statement. */
  readonly isLate?: boolean;
}

/** What keeps indexes from being keys, from the one that is closest to a key. */
const REASONS: readonly NearKey['why'][] = [
  'children',
  'materialised',
  'nullable',
  'prefix',
  'unbounded',
  'expression',
  'unreadable',
];

/** Indexes that keep no two rows from having the same values in their columns. */
const REPEATING: ReadonlySet<string> = new Set(['children', 'prefix', 'expression', 'unreadable']);

/** The keys of a relation, from its unique indexes, of which the best one is the first. */
export function keysOf(
  columns: readonly Column[],
  indexes: readonly UniqueIndex[],
): Pick<Relation, 'keys' | 'uniqueKeys' | 'nearKey'> {
  const nullable = new Map(columns.map((column) => [column.name, column.nullable]));
  const judged = indexes.map((index) => {
    const isNullable = index.columns.map(({ column }) => nullable.get(column));
    const reason = index.why ?? (isNullable.includes(true) ? 'nullable' : undefined);
    return { ...index, why: isNullable.includes(undefined) ? 'unreadable' : reason };
  });
  const keys = judged.flatMap((one) => (one.why === undefined ? [one.key ?? one.columns] : []));
  const unique = judged.filter(({ why = '', isLate }) => isLate !== true && !REPEATING.has(why));
  const nearKeys = REASONS.flatMap((why) =>
    judged.flatMap((index) => (index.why === why ? { why, columns: namesOf(index.columns) } : [])),
  );
  const [nearKey] = keys.length === 0 ? nearKeys : [];
  return { keys, uniqueKeys: unique.map((index) => index.columns), ...(nearKey && { nearKey }) };
}

function namesOf(key: KeyCandidate): string[] {
  return key.map(({ column }) => column);
}

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
  const inKeys = new Set(namesOf(keys.flat()));
  const columns = view.columns.map((column): Column =>
    inKeys.has(column.name) ? { ...column, nullable: false } : column,
  );
  return { ...view, columns, keys };
}
