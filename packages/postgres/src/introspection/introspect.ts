import {
  type Column,
  Introspection,
  type KeyCandidate,
  type Relation,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { ALONE, WITH_MEMBERS } from '../versions/definition.ts';
import { encodingOf } from '../values/encodings.ts';
import { extremesOf, wireTypeOf, type CatalogueType } from '../values/wire-types.ts';

interface ColumnRow {
  readonly name: string;
  readonly not_null: boolean;
  readonly description: string | null;
  readonly type: string;
}

interface TypeRow {
  readonly name: string;
  readonly facts: CatalogueType;
  readonly collation: string | null;
  readonly items: CatalogueType | null;
}

type ColumnType = Omit<Column, 'name' | 'nullable' | 'description'>;

/** A unique index that covers all rows of its table. */
export interface IndexRow {
  /** Whether it is checked by each statement, not only at the transaction's end. */
  readonly immediate: boolean;
  readonly columns: readonly {
    readonly column: string;
    /** The index's, for types that compare by one. */
    readonly collation: string | null;
    /** Whether the column has the same. */
    readonly is_own: boolean;
  }[];
}

interface RelationRow {
  readonly schema: string;
  readonly name: string;
  /** pg_class.relkind: v a view, m a materialised one; the others are tables. */
  readonly kind: string;
  /** False for a materialised view that was never filled. */
  readonly populated: boolean;
  readonly is_current: boolean;
  /** Whether all rows are in heaps of this server and shown to everybody alike. */
  readonly versioned: boolean;
  /** Whether it shows, or once showed, rows of other tables. */
  readonly may_have_members: boolean;
  readonly has_policies: boolean;
  /** Whether it can be locked against TRUNCATE, which no snapshot excludes. */
  readonly lockable: boolean;
  readonly description: string | null;
  readonly columns: readonly ColumnRow[] | null;
  readonly keys: readonly IndexRow[] | null;
  readonly foreign_keys:
    | readonly {
        readonly columns: readonly string[];
        readonly schema: string;
        readonly name: string;
        readonly key: readonly string[];
        readonly operators: readonly string[] | null;
      }[]
    | null;
  /** Whether its indexes miss rows of inheriting tables. */
  readonly has_children: boolean;
}

interface Introspected {
  readonly version: number;
  readonly encoding: string;
  readonly types: Readonly<Record<string, TypeRow>>;
  readonly relations: readonly RelationRow[];
}

/** From the row of {@link INTROSPECTION}. Current schema: bare names, otherwise `schema.name`. */
export function relationsOf([text]: Row): Relation[] {
  const { relations, ...found } = JSON.parse(text ?? '{}') as Introspected;
  const shared = { extremes: extremesOf(found.version), encoding: encodingOf(found.encoding) };
  const types = new Map(
    Object.entries(found.types).map(([key, { name, facts, collation, items }]) => [
      key,
      {
        databaseType: name,
        ...wireTypeOf(facts, items),
        ...(collation !== null && { collation }),
        ...shared,
      },
    ]),
  );
  return relations.map((row) => relationOf(row, types));
}

function relationOf(row: RelationRow, types: ReadonlyMap<string, ColumnType>): Relation {
  const {
    schema,
    name,
    kind,
    populated,
    versioned,
    may_have_members: mayHaveMembers,
    has_policies: hasPolicies,
    lockable,
    description,
    columns,
  } = row;
  const described = (columns ?? []).map(({ type, not_null: notNull, ...column }) => ({
    ...column,
    ...(types.get(type) as ColumnType),
    nullable: !notNull,
  }));
  const materialised = kind === 'm' ? 'materialised' : undefined;
  return {
    path: [schema, name],
    name: row.is_current ? name : `${schema}.${name}`,
    kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
    description,
    snapshots: lockable,
    versioned,
    ...(versioned && { definition: mayHaveMembers ? WITH_MEMBERS : ALONE }),
    columns: described,
    ...Introspection.keysOf(
      described,
      indexesOf(row.keys, row.has_children ? 'children' : materialised),
    ),
    foreignKeys: foreignKeysOf(row),
    ...(hasPolicies && { hasPolicies }),
    ...(!populated && { unusable: 'It is a materialised view that was never filled: refresh it.' }),
  };
}

/** A page's order reads its key, which takes the right to. */
function indexesOf(
  keys: RelationRow['keys'],
  why?: 'children' | 'materialised',
): Introspection.UniqueIndex[] {
  return (keys ?? []).map((index) => ({
    columns: index.columns.map(({ column, collation }) => partOf(column, collation)),
    key: keyOf(index),
    why,
    isLate: !index.immediate,
  }));
}

function foreignKeysOf({
  foreign_keys: keys,
}: RelationRow): NonNullable<Relation['foreignKeys']>[number][] {
  return (keys ?? []).map(({ columns, schema, name, key, operators }) => ({
    columns,
    relation: [schema, name],
    key,
    ...(operators !== null && { operators }),
  }));
}

export function keyOf({ columns }: IndexRow): KeyCandidate {
  return columns.map(({ column, collation, is_own: isOwn }) =>
    partOf(column, isOwn ? null : collation),
  );
}

function partOf(column: string, collation: string | null): KeyCandidate[number] {
  return { column, ...(collation !== null && { collation }) };
}
