import { withDeadline } from '../../deadline.ts';
import type { Reads } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { Acceleration } from '../acceleration.ts';
import { inBackground } from '../../tracing.ts';
import type { KeptTotal } from '../found-total.ts';
import { KeyReader, type KeyReaderParts, type KeyReading } from './key-reader.ts';
import type { PageIndex } from './page-index.ts';

/** A longer list has longer steps, so that an index of any list takes about the same memory. */
const FEWEST_KEYS = 50_000;

/** With more memory for all caches there is one key more for so many bytes. */
const BYTES_FOR_A_KEY = 1280;

/** Passing over so many records costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** How building an index ended. */
export interface Build {
  readonly outcome: KeyReading;
  /** As far as it was built. */
  readonly index: PageIndex;
  readonly buildMs: number;
}

/** An index that is being built. */
interface GrowingIndex {
  /** The order key of its list. */
  readonly list: string;
  readonly index: PageIndex;
}

/** How page indexes were built. */
export interface IndexBuilds {
  readonly begun: number;
  /** How many ended, by how they did. */
  readonly ended: Readonly<Record<Build['outcome'], number>>;
  /** How long all that ended took together, with their pauses, in milliseconds. */
  readonly milliseconds: number;
}

/** When an index may be built, how long that may take, and how much memory the keys of all. */
type IndexBuildLimits = Pick<Acceleration, 'indexBuildMs' | 'memoryBytes' | 'takeBuildTurn'>;

type KeySource = Reads<'keys' | 'sort'>;

type TakeBuildTurn = NonNullable<Acceleration['takeBuildTurn']>;

async function alwaysFree(): Promise<() => void> {
  return () => undefined;
}

/** Reads the keys of page indexes beside the queries of callers: one index at a time. */
export class IndexBuilder {
  readonly #source: KeySource;
  readonly #timeoutMs: number;
  readonly #mostKeys: number;
  readonly #takeTurn: TakeBuildTurn;
  readonly #closing = new AbortController();
  readonly #ended = { built: 0, outdated: 0, refused: 0, failed: 0 };
  #begun = 0;
  #milliseconds = 0;
  #building: Promise<Build | undefined> | undefined;
  #growing: GrowingIndex | undefined;

  constructor(source: KeySource, limits: IndexBuildLimits) {
    this.#source = source;
    this.#timeoutMs = limits.indexBuildMs;
    this.#mostKeys = Math.max(FEWEST_KEYS, Math.floor(limits.memoryBytes / BYTES_FOR_A_KEY));
    this.#takeTurn = limits.takeBuildTurn ?? alwaysFree;
  }

  get isBusy(): boolean {
    return this.#building !== undefined;
  }

  /** What is being built: it leads to pages before it is whole. */
  get growing(): GrowingIndex | undefined {
    return this.#growing;
  }

  /** What was built so far. */
  get builds(): IndexBuilds {
    return { begun: this.#begun, ended: { ...this.#ended }, milliseconds: this.#milliseconds };
  }

  /**
   * Reads the keys of a list at the version of its total; undefined where another process builds.
   * Never rejects.
   */
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

  /** Stops whatever is being built. */
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
    this.#growing = { list: query.orderKey, index };
    const outcome = await this.#readKeys({ query, known, ...index });
    this.#growing = undefined;
    return { outcome, index, buildMs: performance.now() - started };
  }

  /** A failure leaves the list without an index; pages that need none report what is wrong. */
  async #readKeys(parts: Omit<KeyReaderParts, 'source' | 'call'>): Promise<KeyReading> {
    const source = this.#source;
    const limits = { signal: this.#closing.signal, timeoutMs: this.#timeoutMs };
    return withDeadline(limits, (call) => new KeyReader({ ...parts, source, call }).read()).catch(
      () => 'failed',
    );
  }
}
