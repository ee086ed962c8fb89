import { setTimeout as sleep } from 'node:timers/promises';

import { QueryFailedError, type QueryFailure } from '@proj/engine';
import type { Logger } from 'pino';

import { backoff } from './backoff.ts';

/** Notices within a second that a database is back; in milliseconds. */
const PAUSES = { first: 100, longest: 500 };

/** Between refused logins, so that no account is locked; in milliseconds. */
const REFUSED_PAUSES = { first: 1000, longest: 10_000 };

const AWAY: ReadonlySet<QueryFailure> = new Set([
  'database_unavailable',
  'query_timeout',
  'overloaded',
]);

export function isAway(error: unknown): error is QueryFailedError {
  return error instanceof QueryFailedError && AWAY.has(error.code);
}

export interface DatabaseWait<Opened> {
  readonly open: () => Promise<Opened>;
  readonly failure: Error;
  readonly isWaitedFor: (error: unknown) => boolean;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Undefined when the wait was ended; throws what an attempt throws and is not waited for. */
export async function waitForDatabase<Opened>({
  open,
  failure,
  isWaitedFor,
  signal,
  log,
}: DatabaseWait<Opened>): Promise<Opened | undefined> {
  const started = performance.now();
  let reason = '';
  let current: Error = failure;
  for (let failures = 1; !signal.aborted; failures++) {
    if (current.message !== reason) {
      reason = current.message;
      log.warn({ reason }, `${obstacle(current)}; until it does, queries get 503`);
    }
    const pauses = isAway(current) ? PAUSES : REFUSED_PAUSES;
    await sleep(backoff(failures, pauses), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    try {
      const opened = await open();
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      log.info({ seconds }, 'the database answers');
      return opened;
    } catch (error) {
      if (!isWaitedFor(error) || !(error instanceof Error)) throw error;
      current = error;
    }
  }
  return undefined;
}

/** A database that stops the first reads does answer: the reason names its limit. */
function obstacle(error: Error): string {
  return error instanceof QueryFailedError && error.code === 'query_timeout'
    ? 'the schema of the database cannot be read in its limits'
    : 'the database does not answer';
}
