import type { DatabaseSync } from 'node:sqlite';

import type { KeyCandidate } from '@proj/engine/database';

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
