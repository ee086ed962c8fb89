import type { DatabaseSync } from 'node:sqlite';

import type { KeyCandidate, Relation } from '@proj/engine/database';

import { select } from './select.ts';

/** Every connection has these; an index under another cannot be used here. */
const BUILT_IN_COLLATIONS = new Set(['BINARY', 'NOCASE', 'RTRIM']);

interface IndexColumnRow {
  readonly index_name: string;
  readonly origin: string;
  readonly cid: number;
  readonly name: string | null;
  readonly coll: string;
}

export interface UniqueIndexes {
  /** The primary key's first, then the narrowest. */
  readonly indexes: KeyCandidate[];
  readonly primaryKeyHasIndex: boolean;
}

export function uniqueIndexes(database: DatabaseSync, table: string): UniqueIndexes {
  const rows = select<IndexColumnRow>(
    database,
    `select i.name as index_name, i.origin, x.cid, x.name, x.coll
    from pragma_index_list(?) i, pragma_index_xinfo(i.name) x
    where i."unique" and not i.partial and x.key
    order by i.seq, x.seqno`,
    table,
  );
  const indexes = [...Map.groupBy(rows, (row) => row.index_name).values()]
    .filter((parts) =>
      parts.every(({ cid, coll }) => cid >= 0 && BUILT_IN_COLLATIONS.has(coll.toUpperCase())),
    )
    .toSorted((a, b) => rank(a) - rank(b))
    .map((parts) =>
      parts.map(({ name, coll }) => ({ column: name ?? '', collation: coll.toUpperCase() })),
    );
  return { indexes, primaryKeyHasIndex: rows.some((row) => row.origin === 'pk') };
}

function rank(parts: readonly IndexColumnRow[]): number {
  return parts[0]?.origin === 'pk' ? 0 : parts.length;
}

interface ForeignKeyRow {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  /** NULL: the primary key. */
  readonly to: string | null;
}

export function withForeignKeys(
  database: DatabaseSync,
  relations: readonly Relation[],
): Relation[] {
  const byName = new Map(relations.map((relation) => [relation.name.toLowerCase(), relation]));
  return relations.map((relation) => {
    if (relation.kind === 'view' || relation.unusable !== undefined) return relation;
    return { ...relation, foreignKeys: foreignKeysOf(database, relation, byName) };
  });
}

/** SQLite numbers them from the last to the first. */
function foreignKeysOf(
  database: DatabaseSync,
  relation: Relation,
  byName: ReadonlyMap<string, Relation>,
): NonNullable<Relation['foreignKeys']> {
  const rows = select<ForeignKeyRow>(
    database,
    'select id, "table", "from", "to" from pragma_foreign_key_list(?) order by id desc, seq',
    relation.name,
  );
  const keys = [...Map.groupBy(rows, ({ id }) => id).values()];
  return keys.flatMap((parts) => {
    const target = byName.get((parts[0]?.table ?? '').toLowerCase());
    if (target === undefined || target.kind === 'view') return [];
    const primaryKey = primaryKeyOf(database, target.name);
    const names = parts.map(({ to }, index) => to ?? primaryKey[index] ?? '');
    const own = parts.map(({ from }) => from);
    const [columns, key] = [columnsOf(relation, own), columnsOf(target, names)];
    return columns && key ? [{ columns, relation: target.path, key }] : [];
  });
}

function primaryKeyOf(database: DatabaseSync, table: string): string[] {
  const rows = select<{ readonly name: string }>(
    database,
    'select name from pragma_table_xinfo(?) where pk > 0 order by pk',
    table,
  );
  return rows.map(({ name }) => name);
}

/** As the table names them: a foreign key may use another letter case. */
function columnsOf({ columns }: Relation, names: readonly string[]): string[] | undefined {
  const found = names.flatMap(
    (name) => columns.find((one) => one.name.toLowerCase() === name.toLowerCase())?.name ?? [],
  );
  return found.length === names.length ? found : undefined;
}
