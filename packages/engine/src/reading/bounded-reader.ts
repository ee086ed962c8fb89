import { firstCaller } from '../sources/callers.ts';
import type { BoundedRows, PageRows, ReadCall, Reads } from '../sources/source.ts';
import type { Knowledge } from './unchanged/knowledge.ts';
import type { KnownLists } from './known-lists.ts';
import type { FoundPage, PageQuestion, PageReader, Reader } from './reader.ts';
import { pageTooLarge } from './too-large.ts';

/** What pages without their whole totals are read with. */
export interface BoundedReaderParts {
  readonly source: Reads<'bounded'>;
  readonly knowledge: Knowledge;
  readonly lists: readonly KnownLists[];
}

/**
 * Answers requests for less than the whole total. Records are counted only up to the limit that the
 * request names.
 */
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

  /**
   * The page, where the total of its list is known: a page index or the nearer end may then lead to
   * it.
   */
  async #readKnown(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    for (const lists of this.#parts.lists) {
      const path = lists.pathTo(question);
      if (path === undefined || path === 'unknown') continue;
      const page = await lists.page(question, call);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  async #readBounded(
    { query, range }: PageQuestion,
    countLimit: number,
    call: ReadCall,
  ): Promise<FoundPage> {
    const asked = { query: query.bounded, range, countLimit };
    const read = await this.#parts.source
      .read({ kind: 'bounded', asked }, call)
      .catch(pageTooLarge);
    if (!query.plan.facts.versioned) return { ...read, version: undefined };
    const { total, version } = read;
    if (total !== undefined && read.json !== undefined)
      this.#parts.knowledge.learn(query, { total, version, foundFor: firstCaller(call) });
    else this.#parts.knowledge.observe(query, version);
    return read;
  }
}

function withHasNext(page: PageRows, { range: { offset, size } }: PageQuestion): BoundedRows {
  return { ...page, hasNext: offset + BigInt(size) < page.total };
}
