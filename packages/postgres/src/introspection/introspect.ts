import { type Column, Introspection, type Relation } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { ALONE, WITH_MEMBERS } from '../versions/definition.ts';
import { encodingOf } from '../values/encodings.ts';
import { extremesOf, wireTypeOf, type CatalogueType } from '../values/wire-types.ts';

interface ColumnRow {
  readonly name: string;
  readonly not_null: boolean;
  readonly description?: string;
  readonly type: string;
}

interface TypeRow extends Pick<Column, 'databaseType' | 'collation'> {
  readonly facts: CatalogueType;
  readonly items?: CatalogueType;
}

type ColumnType = Omit<Column, 'name' | 'nullable' | 'description'>;

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
  readonly description?: string;
  readonly columns?: readonly ColumnRow[];
  readonly keys?: readonly Introspection.UniqueIndex[];
  readonly foreign_keys?: NonNullable<Relation['foreignKeys']>;
  /** Why its unique indexes are no keys. */
  readonly why?: 'children' | 'materialised';
}

interface Introspected {
  readonly version: number;
  readonly encoding: string;
  readonly types: Readonly<Record<string, TypeRow>>;
  readonly relations: readonly RelationRow[];
}

/** From the row of {@link introspection}. Current schema: bare names, otherwise `schema.name`. */
export function relationsOf([text]: Row): Relation[] {
  const { relations, ...found } = JSON.parse(text ?? '{}') as Introspected;
  const shared = { extremes: extremesOf(found.version), encoding: encodingOf(found.encoding) };
  const types = new Map(
    Object.entries(found.types).map(([key, { facts, items = null, ...named }]) => [
      key,
      { ...named, ...wireTypeOf(facts, items), ...shared },
    ]),
  );
  return relations.map((row) => relationOf(row, types));
}

function relationOf(row: RelationRow, types: ReadonlyMap<string, ColumnType>): Relation {
  const { schema, name, kind, versioned, why, columns = [], keys = [] } = row;
  const described = columns.map(({ type, not_null: notNull, description = null, ...column }) => ({
    ...column,
    description,
    ...(types.get(type) as ColumnType),
    nullable: !notNull,
  }));
  return {
    path: [schema, name],
    name: row.is_current ? name : `${schema}.${name}`,
    kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
    description: row.description ?? null,
    snapshots: row.lockable,
    versioned,
    ...(versioned && { definition: row.may_have_members ? WITH_MEMBERS : ALONE }),
    columns: described,
    ...Introspection.keysOf(
      described,
      keys.map((index) => ({ ...index, why })),
    ),
    foreignKeys: row.foreign_keys ?? [],
    ...(row.has_policies && { hasPolicies: true }),
    ...(!row.populated && {
      unusable: 'It is a materialised view that was never filled: refresh it.',
    }),
  };
}
