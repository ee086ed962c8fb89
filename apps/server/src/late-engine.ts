import {
  type Answer,
  type Catalogue,
  type CatalogueCandidate,
  type Engine,
  type FacetsAnswer,
  type FeedWatch,
  type FollowReport,
  type IndexBuilds,
  type MechanismStatistics,
  QueryFailedError,
  type ReplicaReport,
  type ReplicaWatch,
} from '@proj/engine';

const NO_BUILDS: IndexBuilds = {
  begun: 0,
  ended: { built: 0, outdated: 0, refused: 0, failed: 0 },
  milliseconds: 0,
};

const NO_CATALOGUE: Catalogue = new Map();

type Change = Parameters<Parameters<Engine['onModelChange']>[0]>[0];

/**
 * An engine whose database was away when the service started. Until {@link attach} it has no
 * models, and until {@link serve} it answers nobody, so that settings which changed meanwhile are
 * in force before the first answer.
 */
export class LateEngine implements Engine {
  readonly #attached = Promise.withResolvers<void>();
  readonly #onChange: ((change: Change) => void)[] = [];
  #engine: Engine | undefined;
  #isServing = false;

  /** Resolves when the database has answered. */
  get attached(): Promise<void> {
    return this.#attached.promise;
  }

  /** Takes the engine, whose models the settings were checked against. */
  attach(engine: Engine): void {
    this.#engine = engine;
    for (const listener of this.#onChange) engine.onModelChange(listener);
    this.#attached.resolve();
  }

  /** Whether it answers. */
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

  get catalogue(): Catalogue {
    return this.#engine?.catalogue ?? NO_CATALOGUE;
  }

  get reports(): Engine['reports'] {
    return this.#engine?.reports ?? [];
  }

  get feed(): FeedWatch | undefined {
    return this.#engine?.feed;
  }

  get replicas(): ReplicaWatch | undefined {
    return this.#engine?.replicas;
  }

  async query(...request: Parameters<Engine['query']>): Promise<Answer> {
    this.demandServing();
    return this.#opened().query(...request);
  }

  async export(...request: Parameters<Engine['export']>): Promise<void> {
    this.demandServing();
    return this.#opened().export(...request);
  }

  async facets(...request: Parameters<Engine['facets']>): Promise<FacetsAnswer> {
    this.demandServing();
    return this.#opened().facets(...request);
  }

  async ping(): Promise<void> {
    this.demandServing();
    return this.#opened().ping();
  }

  async prepare(settings: Parameters<Engine['prepare']>[0]): Promise<CatalogueCandidate> {
    return this.#opened().prepare(settings);
  }

  async isKey(...key: Parameters<Engine['isKey']>): Promise<boolean> {
    return this.#opened().isKey(...key);
  }

  onModelChange(listener: (change: Change) => void): void {
    if (this.#engine === undefined) this.#onChange.push(listener);
    else this.#engine.onModelChange(listener);
  }

  statistics(): readonly MechanismStatistics[] {
    return this.#engine?.statistics() ?? [];
  }

  indexBuilds(): IndexBuilds {
    return this.#engine?.indexBuilds() ?? NO_BUILDS;
  }

  async followReport(): Promise<FollowReport | undefined> {
    return this.#opened().followReport();
  }

  async replicaReport(): Promise<readonly ReplicaReport[]> {
    return this.#opened().replicaReport();
  }

  exportsHoldUpWrites(): boolean {
    return this.#opened().exportsHoldUpWrites();
  }

  async warnings(): Promise<string[]> {
    return this.#opened().warnings();
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  #opened(): Engine {
    if (this.#engine === undefined) throw unavailable();
    return this.#engine;
  }
}

function unavailable(): QueryFailedError {
  return new QueryFailedError(
    'database_unavailable',
    'The database has not answered since the service started.',
  );
}
