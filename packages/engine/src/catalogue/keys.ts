import type { NoKeyReason } from '@proj/contract';

import {
  type Column,
  type KeyCandidate,
  NEAR_KEYS,
  type NearKey,
  type Relation,
} from './relation.ts';
import type { Attribute, Model, OrderTerm } from './model.ts';

export interface UniqueIndex {
  /** Its columns, each with the collation that compares its values. */
  readonly columns: KeyCandidate;
  /** The same for ordering rows. Default: as above. */
  readonly key?: KeyCandidate;
  /** Why it is no key even without NULL. */
  readonly why?: NearKey['why'] | undefined;
  readonly isLate?: boolean;
}

/** Indexes that let rows repeat their columns' values. */
const REPEATING: ReadonlySet<string> = new Set(['children', 'prefix', 'expression', 'unreadable']);

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
  const nearKeys = NEAR_KEYS.flatMap((why) =>
    judged.flatMap((index) => (index.why === why ? { why, columns: namesOf(index.columns) } : [])),
  );
  const [nearKey] = keys.length === 0 ? nearKeys : [];
  return { keys, uniqueKeys: unique.map((index) => index.columns), ...(nearKey && { nearKey }) };
}

function namesOf(key: KeyCandidate): string[] {
  return key.map(({ column }) => column);
}

/** The relation whose rows a view shows, each at most once. */
export interface Shown {
  readonly relation: Relation;
  /** Columns of the view, by those of the relation that they show as they are. */
  readonly nameOf: ReadonlyMap<unknown, string | undefined>;
}

/** Gives views those keys of their relation that they show whole. A view may lead to itself. */
export function withViewKeys(
  relations: readonly Relation[],
  shownBy: (view: Relation) => Shown | undefined,
): Relation[] {
  const keysBelow = (one: Relation, above: readonly Relation[] = []): readonly KeyCandidate[] => {
    if (one.kind !== 'view') return one.keys;
    const shown = above.includes(one) ? undefined : shownBy(one);
    return shown === undefined
      ? []
      : keysShown(keysBelow(shown.relation, [...above, one]), shown.nameOf);
  };
  return relations.map((one) => (one.kind === 'view' ? withKeys(one, keysBelow(one)) : one));
}

export function keysShown(keys: readonly KeyCandidate[], nameOf: Shown['nameOf']): KeyCandidate[] {
  return keys.flatMap((key): KeyCandidate[] => {
    const parts = key.flatMap((part) => {
      const column = nameOf.get(part.column);
      return column === undefined ? [] : { ...part, column };
    });
    return parts.length === key.length ? [parts] : [];
  });
}

/** Key columns of a view are never NULL. Returns the view itself without keys. */
export function withKeys(view: Relation, keys: readonly KeyCandidate[]): Relation {
  if (keys.length === 0) return view;
  const inKeys = new Set(namesOf(keys.flat()));
  const columns = view.columns.map((column): Column =>
    inKeys.has(column.name) ? { ...column, nullable: false } : column,
  );
  return { ...view, columns, keys };
}

/** Up to SQLite's first date column: stored forms sort unlike the dates that filters compare. */
export function comparedKey({ attributes, key }: Model): readonly OrderTerm[] {
  const stored = new Set(
    [...attributes.values()]
      .filter(({ storedAs }) => storedAs !== undefined)
      .map(({ column }) => column),
  );
  const first = key.findIndex(({ column }) => stored.has(column));
  return first === -1 ? key : key.slice(0, first);
}

/** A part of the key is hidden, or several values look alike. Undefined with a key. */
export function missingKeyReason(model: Model): NoKeyReason | undefined {
  const shown = new Set([...model.attributes.values()].map(({ column }) => column));
  if (!model.key.every(({ column }) => shown.has(column))) return 'not_visible';
  if (comparedKey(model).length < model.key.length) return 'stored_dates';
  const columns = new Set(model.key.map(({ column }) => column));
  const isAmbiguous = [...model.attributes.values()].some(
    ({ column, extremes }) => columns.has(column) && extremes.includes('empty_label'),
  );
  return isAmbiguous ? 'empty_label' : undefined;
}

/** Undefined where a key part has no attribute, or several, or values of records look alike. */
export function keyAttributes(model: Model): readonly Attribute[] | undefined {
  const attributes = [...model.attributes.values()];
  const parts = comparedKey(model).map(({ column }) =>
    attributes.filter((attribute) => attribute.column === column),
  );
  const isWhole =
    missingKeyReason(model) === undefined && parts.every(({ length }) => length === 1);
  return isWhole ? parts.flat() : undefined;
}
