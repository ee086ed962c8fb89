import { availableParallelism } from 'node:os';

import type { Relation } from '../../catalogue/relation.ts';
import type { Patience, Source } from '../source.ts';
import { DataVersion } from './data-version.ts';
import { sqliteDialect } from './dialect.ts';
import { ReaderPool } from './reader-pool.ts';
import type { ReaderRequest, ReaderValues } from './reader-protocol.ts';

const LIMITS = { readers: Math.max(2, Math.min(8, availableParallelism())), maxWaiting: 1000, maxWaitMs: 2000 };

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING: Patience = { signal: undefined, timeoutMs: 10_000 };

/**
 * Opens a SQLite file for reading. The file is opened by reader processes, read-only, and is never created.
 */
export function openSqlite(path: string): Source {
  const pool = new ReaderPool(path, LIMITS);
  const dataVersion = new DataVersion(path);
  // Pages must not wait behind an index that is being built; started when one is.
  let background: ReaderPool | undefined;

  async function ask<Kind extends ReaderRequest['kind']>(
    request: Extract<ReaderRequest, { kind: Kind }>,
    patience: Patience,
    onStart?: () => void,
  ): Promise<ReaderValues[Kind]> {
    const readers = request.kind === 'anchors' ? (background ??= new ReaderPool(path, { ...LIMITS, readers: 1 })) : pool;
    return (await readers.ask(request, patience, onStart)) as ReaderValues[Kind];
  }

  /** What was read is of a version that stood before the reading began and still stands when it is done. */
  async function askVersioned<Kind extends 'page' | 'pages' | 'rows' | 'anchors'>(
    request: Extract<ReaderRequest, { kind: Kind }>,
    patience: Patience,
  ): Promise<{ value: ReaderValues[Kind]; version: string | undefined }> {
    let before: string | undefined;
    const value = await ask(request, patience, () => {
      before = dataVersion.read();
    });
    return { value, version: dataVersion.read() === before ? before : undefined };
  }

  return {
    dialect: sqliteDialect,
    introspect: (): Promise<Relation[]> => ask({ kind: 'introspect' }, HOUSEKEEPING),
    readPage: async (list, window, patience) => {
      const { value, version } = await askVersioned({ kind: 'page', list, window }, patience);
      return { ...value, version };
    },
    readPages: async (pages, patience) => {
      const { value, version } = await askVersioned({ kind: 'pages', pages }, patience);
      return value.map((page) => ({ ...page, version }));
    },
    readRows: async (rows, patience) => {
      const { value, version } = await askVersioned({ kind: 'rows', rows }, patience);
      return { ...value, version };
    },
    readAnchors: async (anchors, patience) => {
      const { value, version } = await askVersioned({ kind: 'anchors', anchors }, patience);
      return { ...value, version };
    },
    count: (count, patience) => ask({ kind: 'count', count }, patience),
    version: async () => dataVersion.read(),
    ping: async () => {
      await ask({ kind: 'ping' }, HOUSEKEEPING);
    },
    close: async () => {
      dataVersion.close();
      await Promise.all([pool.close(), background?.close()]);
    },
  };
}
