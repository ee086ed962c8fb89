import type { ReadCall } from '@proj/engine/database';

import type { Database } from '../connection/database.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import type { Ask } from '../connection/running-work.ts';
import { TRANSACTION_RECORDS } from '../states/cluster-state.ts';
import type { ClusterServers } from './cluster-servers.ts';

/** In milliseconds; writers queue behind a waiting lock. */
const LOCK_MS = 200;

/** Milliseconds to wait for others who lock the same cluster. */
const TURN_MS = 1000;

/** Servers end silent sessions with locks after so many times the reads' limit. */
const SILENT_TIMES = 4;

/** The letters `dq cuts`, for all services. */
const TURN_LOCK = '28272118190339187';

interface LockingCall {
  readonly call: ReadCall;
  readonly isLocking: () => void;
  /** Milliseconds for which they are held, unless something goes wrong. */
  readonly snapshotsMs: number;
}

/**
 * Waits for others who do. The locks end with their sessions, whatever becomes of this process.
 * @returns releases them; rejects where one had ended before
 * @throws {NoCommonStateError} with no lock held, where some are not had in time
 */
export async function holdLocks(
  servers: ClusterServers,
  { call, isLocking, snapshotsMs }: LockingCall,
): Promise<() => Promise<void>> {
  const [first, ...others] = servers.all.map(({ database }) => database);
  if (first === undefined) throw new Error('A cluster has servers.');
  const held = [openTransaction(first, call)];
  const runAll = (sql: string): Promise<unknown> =>
    Promise.all(held.map((transaction) => transaction.run(sql)));
  try {
    const silenceMs = SILENT_TIMES * snapshotsMs;
    await runAll(limits(TURN_MS, silenceMs));
    await runAll(`select pg_advisory_xact_lock(${TURN_LOCK})::text`);
    held.push(...others.map((database) => openTransaction(database, call)));
    await runAll(limits(LOCK_MS, silenceMs));
    isLocking();
    await runAll(`lock table ${TRANSACTION_RECORDS} in exclusive mode`);
  } catch (error) {
    await Promise.allSettled(held.map((transaction) => transaction.end()));
    throw asNoState(error);
  }
  return async () => {
    const ends = await Promise.allSettled(held.map((transaction) => transaction.end()));
    for (const end of ends) if (end.status === 'rejected') throw asNoState(end.reason);
  };
}

interface OpenTransaction {
  run(sql: string): Promise<unknown>;
  /** @throws where the transaction, and so its locks, had ended before */
  end(): Promise<void>;
}

function openTransaction(database: Database, call: ReadCall): OpenTransaction {
  const opened = Promise.withResolvers<Ask>();
  const done = Promise.withResolvers<void>();
  let begins = 0;
  const ended = database.inTransaction(
    {
      isolation: 'read committed',
      work: async (run) => {
        // Another attempt would not hold the locks that were relied on.
        if (begins++ > 0) throw new NoCommonStateError('A lock of the cluster was lost.');
        opened.resolve(run);
        await done.promise;
      },
    },
    { ...call, session: undefined },
  );
  ended.catch(opened.reject);
  return {
    run: async (sql) => {
      const run = await opened.promise;
      return run({ sql, parameters: [] });
    },
    end: async () => {
      done.resolve();
      await ended;
    },
  };
}

function limits(lockMs: number, silenceMs: number): string {
  const settings = [
    ['lock_timeout', lockMs],
    ['idle_in_transaction_session_timeout', silenceMs],
  ];
  const calls = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${calls.join(', ')}`;
}

function asNoState(error: unknown): NoCommonStateError {
  if (error instanceof NoCommonStateError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new NoCommonStateError(`The transactions of the cluster cannot be held: ${reason}`);
}
