import type { BoundedRows, PageRows, ReadCall, Source } from '../sources/source.ts';
import type { CachedTotalRows } from './cached-total-rows.ts';
import type { FollowedPages } from './followed-pages.ts';
import type { Knowledge } from './knowledge.ts';
import type { FoundPage, PageQuestion, PageReader, Reader } from './reader.ts';
import { pageTooLarge } from './too-large.ts';

/** What pages without their whole totals are read with. */
export interface BoundedReaderParts {
  readonly source: Pick<Source, 'readBounded'>;
  readonly knowledge: Knowledge;
  /** Undefined where totals are not kept. */
  readonly rows: Pick<CachedTotalRows, 'read'> | undefined;
  /** Undefined where no changes are followed, or totals are not kept. */
  readonly followed: Pick<FollowedPages, 'follows' | 'hasTotal' | 'read'> | undefined;
}

/** Answers questions that do not ask for the whole total, and counts no further than they ask. */
export class BoundedReader implements Reader<PageQuestion, FoundPage> {
  readonly #parts: BoundedReaderParts;
  readonly #next: PageReader;

  constructor(parts: BoundedReaderParts, next: PageReader) {
    this.#parts = parts;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<FoundPage> {
    const { countLimit } = question;
    if (countLimit === undefined) return this.#next.read(question, call);
    const known = await this.#readKnown(question, call);
    return known === undefined
      ? this.#readBounded(question, countLimit, call)
      : withHasNext(known, question);
  }

  /** The page of a total that is known without a count: a deep page may then be found quickly. */
  async #readKnown(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { knowledge, rows, followed } = this.#parts;
    const { query } = question;
    if (!query.plan.model.versioned) return undefined;
    if (followed?.follows(question) === true && followed.hasTotal(question)) {
      const page = await followed.read(question, call);
      if (page !== undefined) return page;
    }
    const total = rows && knowledge.total(query);
    return total && rows.read(question, total, call);
  }

  async #readBounded(
    { query, range }: PageQuestion,
    countLimit: number,
    call: ReadCall,
  ): Promise<FoundPage> {
    const page = { query: query.bounded, range, countLimit };
    const read = await this.#parts.source.readBounded(page, call).catch(pageTooLarge);
    if (!query.plan.model.versioned) return { ...read, version: undefined };
    const { total, version } = read;
    if (total !== undefined && read.json !== undefined)
      this.#parts.knowledge.learn(query, { total, version });
    else this.#parts.knowledge.observe(query, version);
    return read;
  }
}

function withHasNext(page: PageRows, { range: { offset, size } }: PageQuestion): BoundedRows {
  return { ...page, hasNext: offset + BigInt(size) < page.total };
}
