import { withDeadline } from '../../deadline.ts';
import type { Reads } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { Acceleration } from '../acceleration.ts';
import { inBackground } from '../../tracing.ts';
import type { KeptTotal } from '../reader.ts';
import { KeyReader, type KeyReading } from './key-reader.ts';
import type { PageIndex } from './page-index.ts';

/** Longer lists get longer steps, so all indexes take about the same memory. */
const FEWEST_KEYS = 50_000;

/** More memory for all caches allows one key more per so many bytes. */
const BYTES_FOR_A_KEY = 1280;

/** Passing over these costs no more than finding the first. */
const SHORTEST_STEP = 100;

export interface Build {
  readonly outcome: KeyReading;
  readonly index: PageIndex;
  readonly buildMs: number;
}

export interface IndexBuilds {
  readonly begun: number;
  readonly ended: Readonly<Record<Build['outcome'], number>>;
  readonly milliseconds: number;
}

type IndexBuildLimits = Pick<Acceleration, 'indexBuildMs' | 'memoryBytes' | 'takeBuildTurn'>;

/** Builds one index at a time, beside the queries of callers. */
export class IndexBuilder {
  readonly #source: Reads<'keys' | 'sort'>;
  readonly #timeoutMs: number;
  readonly #mostKeys: number;
  readonly #takeTurn: NonNullable<Acceleration['takeBuildTurn']>;
  readonly #closing = new AbortController();
  readonly #ended = { built: 0, outdated: 0, refused: 0, failed: 0 };
  #begun = 0;
  #milliseconds = 0;
  #building: Promise<Build | undefined> | undefined;
  /** Leads to pages before it is whole. */
  growing: { readonly list: string; readonly index: PageIndex } | undefined;

  constructor(source: Reads<'keys' | 'sort'>, limits: IndexBuildLimits) {
    this.#source = source;
    this.#timeoutMs = limits.indexBuildMs;
    this.#mostKeys = Math.max(FEWEST_KEYS, Math.floor(limits.memoryBytes / BYTES_FOR_A_KEY));
    this.#takeTurn = limits.takeBuildTurn ?? (async () => () => undefined);
  }

  get isBusy(): boolean {
    return this.#building !== undefined;
  }

  get builds(): IndexBuilds {
    return { begun: this.#begun, ended: { ...this.#ended }, milliseconds: this.#milliseconds };
  }

  /** Undefined where another process builds. Never rejects. */
  async build(query: PreparedQuery, known: KeptTotal): Promise<Build | undefined> {
    const work = { kind: 'page_index', relations: query.plan.relations } as const;
    const read = (): Promise<Build> => inBackground(work, () => this.#read(query, known));
    this.#building = this.#inTurn(read);
    const build = await this.#building;
    this.#building = undefined;
    if (build === undefined) return undefined;
    this.#ended[build.outcome] += 1;
    this.#milliseconds += build.buildMs;
    return build;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building;
  }

  async #inTurn(work: () => Promise<Build>): Promise<Build | undefined> {
    const endTurn = await this.#takeTurn().catch(() => undefined);
    if (endTurn === undefined) return undefined;
    this.#begun += 1;
    try {
      return await work();
    } finally {
      endTurn();
    }
  }

  async #read(query: PreparedQuery, known: KeptTotal): Promise<Build> {
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(known.total) / this.#mostKeys));
    const index = { version: known.version, step, keys: [] };
    const started = performance.now();
    this.growing = { list: query.orderKey, index };
    const parts = { source: this.#source, query, known, ...index };
    const limits = { signal: this.#closing.signal, timeoutMs: this.#timeoutMs };
    const reading = withDeadline(limits, (call) => new KeyReader({ ...parts, call }).read());
    // A failure leaves no index; pages that need none report it.
    const outcome = await reading.catch(() => 'failed' as const);
    this.growing = undefined;
    return { outcome, index, buildMs: performance.now() - started };
  }
}
