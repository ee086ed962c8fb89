import { availableParallelism } from 'node:os';

import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { ReadCall, Source } from '../source.ts';
import type { Statement } from '../../sql/statement.ts';
import { FileVersion } from './version.ts';
import { sqliteDialect } from './dialect.ts';
import { ReaderPool } from './database.ts';
import { withStoredForms } from './stored-forms.ts';
import type { ReaderMessage, ReaderRequest, ReaderValues } from './reader-protocol.ts';

const LIMITS = {
  readers: Math.max(2, Math.min(8, availableParallelism())),
  maxWaiting: 1000,
  maxWaitMs: 2000,
};

/** Reading the schema takes so long at most. */
const SCHEMA = { timeoutMs: 10_000 };

/**
 * A ping takes so long at most: longer than it waits for a reader, and than a reader waits for a
 * lock.
 */
const PING = { timeoutMs: 3000 };

/**
 * Opens a SQLite file for reading. The file is opened by reader processes, read-only, and is never
 * created.
 */
export function openSqlite(path: string): Source {
  const pool = new ReaderPool(path, LIMITS);
  const dataVersion = new FileVersion(path);
  // Pages must not wait behind an index that is being built; started when one is.
  let background: ReaderPool | undefined;

  /**
   * What was read is of a version that held before the reading began and still holds when it is
   * done.
   */
  async function ask<Kind extends ReaderRequest['kind']>(
    request: Extract<ReaderRequest, { kind: Kind }>,
    call: ReadCall,
  ): Promise<{ value: ReaderValues[Kind]; version: string | undefined }> {
    const readers =
      request.kind === 'checkpoints'
        ? (background ??= new ReaderPool(path, { ...LIMITS, readers: 1 }))
        : pool;
    let before: string | undefined;
    const compose = (): ReaderMessage => {
      const { version, generation } = dataVersion.look();
      before = version;
      return { generation, request };
    };
    const value = (await readers.ask(compose, call)) as ReaderValues[Kind];
    return { value, version: dataVersion.look().version === before ? before : undefined };
  }

  /** What cannot be sampled in time goes without a word of it. */
  async function readJson(statement: Statement): Promise<string | undefined> {
    const rows = {
      statement,
      bindings: { size: 1, offset: 0n },
      fields: [],
      reversed: false,
      maxBytes: 0,
    };
    return withDeadline(SCHEMA, (call) => ask({ kind: 'rows', rows }, call)).then(
      ({ value }) => value.json,
      () => undefined,
    );
  }

  return {
    dialect: sqliteDialect,
    readsHoldUpWrites: true,
    introspect: async (): Promise<Relation[]> => {
      const { value } = await withDeadline(SCHEMA, (call) => ask({ kind: 'introspect' }, call));
      return value;
    },
    sample: (relations) => withStoredForms(relations, readJson),
    readPage: async (query, range, call) => {
      const { value, version } = await ask({ kind: 'page', page: { query, range } }, call);
      return { ...value, version };
    },
    readBatch: async (pages, call) => {
      const { value, version } = await ask({ kind: 'batch', pages }, call);
      return value.map((page) => ({ ...page, version }));
    },
    readRows: async (rows, call) => {
      const { value, version } = await ask({ kind: 'rows', rows }, call);
      return { ...value, version };
    },
    readCheckpoints: async (checkpoints, call) => {
      const { value, version } = await ask({ kind: 'checkpoints', checkpoints }, call);
      return { ...value, version };
    },
    count: async (count, call) => (await ask({ kind: 'count', count }, call)).value,
    version: async () => dataVersion.read(),
    ping: async () => {
      const ping = withDeadline(PING, (call) => ask({ kind: 'ping' }, call));
      await ping.catch((error: unknown) => {
        throw isSilence(error, pool)
          ? new QueryFailedError('database_unavailable', 'No reader process answers.')
          : error;
      });
    },
    close: async () => {
      await Promise.all([pool.close(), background?.close()]);
      dataVersion.close();
    },
  };
}

/**
 * Readers that are busy do run; those that were stopped, or hang in the operating system, do not.
 */
function isSilence(error: unknown, pool: ReaderPool): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  return error.code === 'query_timeout' || (error.code === 'overloaded' && !pool.isRunning);
}
