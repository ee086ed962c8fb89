import { withDeadline } from '../deadline.ts';
import type { Checkpoints, Source } from '../sources/source.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { Statement } from '../sql/statement.ts';

/** A longer list has longer steps, so that an index of any list takes about the same memory. */
const MOST_KEYS = 50_000;

/** Passing over so many records costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** The keys of a list, as far as they could be read. */
export interface Build {
  /** Undefined where they could not be read. */
  readonly read: Checkpoints | undefined;
  readonly step: number;
  readonly buildMs: number;
}

/** Reads the keys of page indexes beside the queries of callers: one index at a time. */
export class IndexBuilder {
  readonly #source: Pick<Source, 'readCheckpoints'>;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  #building: Promise<Build> | undefined;

  /** @param timeoutMs how long one index may take, in milliseconds */
  constructor(source: Pick<Source, 'readCheckpoints'>, timeoutMs: number) {
    this.#source = source;
    this.#timeoutMs = timeoutMs;
  }

  get isBusy(): boolean {
    return this.#building !== undefined;
  }

  /** Reads the keys of a list with this total. Never rejects. */
  async build(query: PreparedQuery, total: bigint): Promise<Build> {
    this.#building = this.#read(query, total);
    try {
      return await this.#building;
    } finally {
      this.#building = undefined;
    }
  }

  /** Stops whatever is being built. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building;
  }

  async #read(query: PreparedQuery, total: bigint): Promise<Build> {
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / MOST_KEYS));
    const statement = query.checkpoints(step);
    const started = performance.now();
    const read = statement && (await this.#readCheckpoints(statement));
    return { read, step, buildMs: performance.now() - started };
  }

  /** A failure leaves the list without an index; pages that need none report what is wrong. */
  async #readCheckpoints(statement: Statement): Promise<Checkpoints | undefined> {
    const limits = { signal: this.#closing.signal, timeoutMs: this.#timeoutMs };
    return withDeadline(limits, async (call) =>
      this.#source.readCheckpoints?.(statement, call),
    ).catch(() => undefined);
  }
}
