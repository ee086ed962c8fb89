import type { PageRows } from '../sources/source.ts';
import { Flights } from './flights.ts';
import { type Acceleration, type MechanismStatistics, Tally } from './mechanisms.ts';
import { PageReader, type PageQuestion, type PageReaderParts } from './read-page.ts';
import { ReplyCache } from './reply-cache.ts';

/**
 * Gives pages: one that is kept and found to stand, one that somebody else is about to read, or one
 * that is read.
 */
export class Pages {
  readonly #settings: Acceleration;
  readonly #reader: PageReader;
  readonly #replies: ReplyCache;
  readonly #flights = new Flights<PageRows>();
  readonly #shared = new Tally('shared_reads');

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
    const { list, window, patience } = question;
    const key = `${list.key}\n${window.offset} ${window.size}`;
    const kept = await this.#kept(key);
    if (kept !== undefined) return kept;
    if (!this.#settings.sharedReads) return this.#readAndKeep(key, question);
    this.#shared.count(this.#flights.has(key));
    return this.#flights.join(
      key,
      async (waiters) =>
        (await this.#kept(key)) ??
        this.#readAndKeep(key, { ...question, patience: { ...patience, ...waiters } }),
      patience,
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
    if (this.#settings.verifiedReplies && question.list.plan.model.versioned)
      this.#replies.keep(key, page);
    return page;
  }
}
