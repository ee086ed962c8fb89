import { type Engine, type IndexBuilds, QueryFailedError } from '@proj/engine';
import type { Logger } from 'pino';

import { waitForDatabase } from '../database-wait.ts';
import type { CheckedEngine } from './open-database.ts';

const NO_BUILDS: IndexBuilds = {
  begun: 0,
  ended: { built: 0, outdated: 0, refused: 0, failed: 0 },
  milliseconds: 0,
};

/** The methods of an engine that answer callers. */
const ANSWERS: ReadonlySet<string | symbol> = new Set<keyof Engine>([
  'query',
  'export',
  'facets',
  'watch',
  'ping',
]);

export interface Waiting {
  /** Opens it, and checks that it fits the others. */
  readonly open: () => Promise<CheckedEngine>;
  readonly failure: Error;
  readonly isWaitedFor: (error: unknown) => boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Runs when it has answered, before its models are served. */
  readonly onOpen: (opened: CheckedEngine) => void;
}

/** A database that was away when it was opened. Everything else is served meanwhile. */
export class WaitingDatabase {
  readonly #waiting: Waiting;
  readonly #closing = new AbortController();
  readonly #answered = Promise.withResolvers<void>();
  readonly #listeners: Parameters<Engine['onModelChange']>[0][] = [];
  readonly #reloads: Promise<boolean>[] = [];
  #opened: Engine | undefined;
  #opening: Promise<readonly string[] | undefined> | undefined;
  #isServing = false;

  /** Until the database has answered there are no models, and each query gets 503. */
  readonly engine: Engine = new Proxy(this.#absent(), {
    get: (absent, name) => {
      const isOpen = this.#isServing || !ANSWERS.has(name);
      const engine = (isOpen && this.#opened) || absent;
      const member: unknown = Reflect.get(engine, name);
      return typeof member === 'function' ? (member.bind(engine) as unknown) : member;
    },
  });

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  get hasAnswered(): boolean {
    return this.#opened !== undefined;
  }

  /** @throws {QueryFailedError} `database_unavailable` until queries are answered */
  demandServing(): void {
    if (!this.#isServing) throw unavailable();
  }

  /** @returns warnings, or undefined when closed before; throws what is not waited for */
  begin(): Promise<readonly string[] | undefined> {
    this.#opening ??= this.#wait();
    // A later handler may come too late for Node.
    this.#opening.catch(() => undefined);
    return this.#opening;
  }

  /** Settings that change during the wait are applied before the first query is answered. */
  reload(reload: () => Promise<boolean>): Promise<boolean> {
    if (this.#isServing) return reload();
    this.#waiting.log.info('a reload waits for the database');
    const held = this.#answered.promise.then(reload);
    this.#reloads.push(held);
    return held;
  }

  /** A pending attempt ends by itself, and closes what it opens. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.hasAnswered) await this.engine.close();
    else this.#opening?.then(() => this.engine.close()).catch(() => undefined);
  }

  async #wait(): Promise<readonly string[] | undefined> {
    const { onOpen, ...wait } = this.#waiting;
    const { signal } = this.#closing;
    const opened = await waitForDatabase({ ...wait, signal });
    this.#opened = opened?.engine;
    if (opened === undefined || signal.aborted) return undefined;
    for (const listener of this.#listeners) opened.engine.onModelChange(listener);
    onOpen(opened);
    this.#answered.resolve();
    await Promise.all(this.#reloads);
    this.#isServing = true;
    return signal.aborted ? undefined : opened.warnings;
  }

  #absent(): Engine {
    return {
      catalogue: new Map(),
      reports: [],
      foreignKeys: [],
      feed: undefined,
      replicas: undefined,
      cuts: undefined,
      query: refuse,
      export: refuse,
      facets: refuse,
      watch: refuse,
      ping: refuse,
      prepare: refuse,
      isKey: refuse,
      followReport: refuse,
      replicaReport: refuse,
      warnings: refuse,
      sessionProblems: refuse,
      onModelChange: (listener) => void this.#listeners.push(listener),
      setCacheMemory: () => undefined,
      statistics: () => [],
      sharedSessions: () => ({ kept: [], uses: [] }),
      indexBuilds: () => NO_BUILDS,
      watched: () => ({ lists: 0, reads: 0 }),
      exportsHoldUpWrites: () => false,
      close: () => Promise.resolve(),
    };
  }
}

function refuse(): Promise<never> {
  return Promise.reject(unavailable());
}

function unavailable(): QueryFailedError {
  return new QueryFailedError(
    'database_unavailable',
    'The database could not be read since the service started.',
  );
}
