import { availableParallelism } from 'node:os';

import type { Relation } from '../../catalogue/relation.ts';
import type { PageRows, Patience, Source } from '../source.ts';
import { sqliteDialect } from './dialect.ts';
import { ReaderPool } from './reader-pool.ts';
import type { ReaderRequest } from './reader-protocol.ts';

const LIMITS = { readers: Math.max(2, Math.min(8, availableParallelism())), maxWaiting: 1000, maxWaitMs: 2000 };

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING: Patience = { signal: undefined, timeoutMs: 10_000 };

/**
 * Opens a SQLite file for reading. The file is opened by reader processes, read-only, and is never created.
 */
export function openSqlite(path: string): Source {
  const pool = new ReaderPool(path, LIMITS);
  const ask = <Value>(request: ReaderRequest, patience: Patience): Promise<Value> =>
    pool.ask(request, patience) as Promise<Value>;
  return {
    dialect: sqliteDialect,
    introspect: () => ask<Relation[]>({ kind: 'introspect' }, HOUSEKEEPING),
    readPage: (statements, patience) => ask<PageRows>({ kind: 'page', statements }, patience),
    ping: async () => {
      await ask<boolean>({ kind: 'ping' }, HOUSEKEEPING);
    },
    close: () => pool.close(),
  };
}
