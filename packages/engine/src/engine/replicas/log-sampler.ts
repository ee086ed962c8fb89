import { QueryFailedError } from '../../errors.ts';
import type { ServerLog } from '../../sources/source.ts';
import type { LogState } from '../../sources/log-position.ts';
import type { TimedState } from './log-clock.ts';

/** Asks for a server's log position; one answer serves all who wait for it to begin. */
export class LogSampler {
  readonly #log: Pick<ServerLog, 'state'> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<TimedState> | undefined;
  #latest: LogState | undefined;

  constructor(log: Pick<ServerLog, 'state'> | undefined) {
    this.#log = log;
  }

  get latest(): LogState | undefined {
    return this.#latest;
  }

  /** @throws whatever keeps the server from answering */
  sample(): Promise<TimedState> {
    this.#next ??= this.#start();
    return this.#next;
  }

  async #start(): Promise<TimedState> {
    await this.#running.catch(() => undefined);
    const sampled = this.#ask();
    this.#running = sampled;
    this.#next = undefined;
    return sampled;
  }

  async #ask(): Promise<TimedState> {
    const at = performance.now();
    const state = await this.#log?.state().catch(explain);
    if (state === undefined) throw new Error('The database has no log.');
    this.#latest = state;
    return { state, at };
  }
}

/** This question's timeout is not the query's, so it becomes another error. */
function explain(cause: unknown): never {
  if (!(cause instanceof QueryFailedError)) throw cause;
  const message = `The server did not say where it is in its log: ${cause.message}`;
  throw new QueryFailedError('database_unavailable', message, { cause });
}
