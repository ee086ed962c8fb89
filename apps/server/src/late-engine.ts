import { type Engine, type IndexBuilds, QueryFailedError } from '@proj/engine';

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

/**
 * Takes the place of an engine whose database was away when the service started. Before {@link
 * attach} it has no models. Between {@link attach} and {@link serve} queries still get
 * `database_unavailable`, so that settings which changed during the wait are applied before the
 * first answer.
 */
export class LateEngine {
  readonly #attached = Promise.withResolvers<void>();
  readonly #listeners: Parameters<Engine['onModelChange']>[0][] = [];
  #opened: Engine | undefined;
  #isServing = false;

  /** What a service is composed with. */
  readonly engine: Engine = new Proxy(this.#absent(), {
    get: (absent, name) => {
      const isOpen = this.#isServing || !ANSWERS.has(name);
      const engine = (isOpen && this.#opened) || absent;
      const member: unknown = Reflect.get(engine, name);
      return typeof member === 'function' ? (member.bind(engine) as unknown) : member;
    },
  });

  /** Resolves when the database has answered. */
  get attached(): Promise<void> {
    return this.#attached.promise;
  }

  /** Takes the engine, whose models the settings were checked against. */
  attach(engine: Engine): void {
    this.#opened = engine;
    for (const listener of this.#listeners) engine.onModelChange(listener);
    this.#attached.resolve();
  }

  /** Whether queries are answered. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Answers from now on. */
  serve(): void {
    this.#isServing = true;
  }

  /** @throws {QueryFailedError} `database_unavailable` until it answers */
  demandServing(): void {
    if (!this.#isServing) throw unavailable();
  }

  /** What there is without a database. */
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
