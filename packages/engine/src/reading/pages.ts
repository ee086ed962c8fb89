import type { PageRows } from '../sources/source.ts';
import { SingleFlight } from './single-flight.ts';
import { type Acceleration, type MechanismStatistics, HitCounter } from './acceleration.ts';
import { PageReader, type PageQuestion, type PageReaderParts } from './page-reader.ts';
import { ReplyCache } from './reply-cache.ts';

/**
 * Gives pages: one that is kept and found to stand, one that somebody else is about to read, or one
 * that is read.
 */
export class Pages {
  readonly #settings: Acceleration;
  readonly #reader: PageReader;
  readonly #replies: ReplyCache;
  readonly #flights = new SingleFlight<PageRows>();
  readonly #shared = new HitCounter('shared_reads');

  constructor(parts: PageReaderParts) {
    this.#settings = parts.settings;
    this.#reader = new PageReader(parts);
    this.#replies = new ReplyCache(parts.version, parts.store);
  }

  get statistics(): MechanismStatistics[] {
    return [...this.#reader.statistics, this.#replies.tally.statistics, this.#shared.statistics];
  }

  /** @throws {QueryFailedError} when the database gives no answer, in time or at all. */
  async read(question: PageQuestion): Promise<PageRows> {
    const { query, range, call } = question;
    const key = `${query.key}\n${range.offset} ${range.size}`;
    const kept = await this.#kept(key);
    if (kept !== undefined) return kept;
    if (!this.#settings.sharedReads) return this.#readAndKeep(key, question);
    this.#shared.count(this.#flights.has(key));
    return this.#flights.join(
      key,
      async (waiters) =>
        (await this.#kept(key)) ??
        this.#readAndKeep(key, { ...question, call: { ...call, ...waiters } }),
      call,
    );
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #kept(key: string): Promise<PageRows | undefined> {
    return this.#settings.verifiedReplies ? this.#replies.find(key) : undefined;
  }

  async #readAndKeep(key: string, question: PageQuestion): Promise<PageRows> {
    const page = await this.#reader.read(question);
    if (this.#settings.verifiedReplies && question.query.plan.model.versioned)
      this.#replies.keep(key, page);
    return page;
  }
}
