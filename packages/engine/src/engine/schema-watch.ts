import { QueryFailedError, type QueryFailure } from '../errors.ts';
import { sharedRuns } from '../shared-runs.ts';

/** The pause is so many times as long as the reading, to spare the connection. */
const PAUSE_FACTOR = 20;

/** In milliseconds. No query waits longer for the next reading to begin. */
const LONGEST_PAUSE_MS = 1000;

/** After failed queries and at intervals. Waiting queries share a reading that begins later. */
export class SchemaWatch {
  readonly refresh: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #tookMs = 0;
  #endedAt = -Infinity;

  constructor(read: () => Promise<void>, checkMs: number) {
    const readTimed = async (): Promise<void> => {
      const started = performance.now();
      await read().finally(() => {
        this.#endedAt = performance.now();
        this.#tookMs = this.#endedAt - started;
      });
    };
    this.refresh = sharedRuns(readTimed, async () => {
      const waitMs = this.#pauseLeft(LONGEST_PAUSE_MS);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    });
    const check = (): void => {
      // Checks wait for the whole pause, unlike queries, which report what they meet.
      if (this.#pauseLeft() <= 0) void this.refresh().catch(() => undefined);
    };
    this.#timer = setInterval(check, checkMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #pauseLeft(longestMs = Infinity): number {
    return this.#endedAt + Math.min(longestMs, PAUSE_FACTOR * this.#tookMs) - performance.now();
  }
}

/** Schema readings per query; for `schema_changed` two, as it may change again meanwhile. */
const MOST_REFRESHES: Partial<Record<QueryFailure, number>> = {
  model_unavailable: 1,
  schema_changed: 2,
};

/** @param refresh returns whether to try again */
export async function retryAfterRefresh<Value>(
  attempt: () => Promise<Value>,
  refresh: () => Promise<boolean>,
): Promise<Value> {
  for (let refreshes = 0; ; refreshes++) {
    try {
      return await attempt();
    } catch (error) {
      const most = error instanceof QueryFailedError ? (MOST_REFRESHES[error.code] ?? 0) : 0;
      if (refreshes >= most) throw finalFailure(error);
      if (!(await refresh())) throw error;
    }
  }
}

/** If all that is named is there, but something is missing, the relation's definition is broken. */
function finalFailure(error: unknown): unknown {
  if (!(error instanceof QueryFailedError) || error.code !== 'schema_changed') return error;
  return new QueryFailedError('model_unreadable', error.message, { cause: error });
}
