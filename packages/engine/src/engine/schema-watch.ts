import { QueryFailedError, type QueryFailure } from '../errors.ts';

/** The pause is so many times as long as the reading, to spare the connection. */
const PAUSE_FACTOR = 20;

/** In milliseconds. No query waits longer for the next reading to begin. */
const LONGEST_PAUSE_MS = 1000;

export interface SchemaWatchSettings {
  /** How often to look for changes that fail no query, such as a dropped key, in milliseconds. */
  readonly checkMs: number;
}

/** After failed queries and at intervals. Waiting queries share a reading that begins later. */
export class SchemaWatch {
  readonly #read: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #next: Promise<void> | undefined;
  #current: Promise<void> = Promise.resolve();
  #tookMs = 0;
  #endedAt = -Infinity;

  constructor(read: () => Promise<void>, { checkMs }: SchemaWatchSettings) {
    this.#read = read;
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
  }

  refresh(): Promise<void> {
    this.#next ??= this.#readNext();
    return this.#next;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Checks wait for the whole pause, unlike queries. */
  #check(): void {
    if (performance.now() < this.#endedAt + PAUSE_FACTOR * this.#tookMs) return;
    // Queries that meet the failure report it.
    void this.refresh().catch(() => undefined);
  }

  async #readNext(): Promise<void> {
    await this.#current.catch(() => undefined);
    const waitMs =
      this.#endedAt + Math.min(LONGEST_PAUSE_MS, PAUSE_FACTOR * this.#tookMs) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#next = undefined;
    this.#current = this.#readNow();
    return this.#current;
  }

  async #readNow(): Promise<void> {
    const started = performance.now();
    try {
      await this.#read();
    } finally {
      this.#endedAt = performance.now();
      this.#tookMs = this.#endedAt - started;
    }
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
