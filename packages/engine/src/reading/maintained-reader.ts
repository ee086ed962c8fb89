import type { PageRows, ReadCall } from '../sources/source.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import type { FollowedPages } from './followed-pages.ts';
import type { MaintainedIndexes } from './maintained-indexes.ts';
import type { PageQuestion, PageReader } from './reader.ts';

/** What the links of maintained totals share. */
export interface MaintainedReaderParts {
  readonly pages: Pick<
    FollowedPages,
    'follows' | 'hasTotal' | 'knowsTotal' | 'isDeep' | 'read' | 'readRecord'
  >;
  readonly indexes: Pick<MaintainedIndexes, 'serves' | 'has'> | undefined;
  readonly counter: HitCounter;
}

export function maintainedCounter(counters: MechanismCounters): HitCounter {
  return counters.create('maintained_total');
}

/**
 * Where the changes of a relation are followed, answers pages whose total follows them too, and
 * which have a quick access path. What cannot be had in a short time is left to the next link.
 */
export class MaintainedReader implements PageReader {
  readonly #parts: MaintainedReaderParts;
  readonly #next: PageReader;

  constructor(parts: MaintainedReaderParts, next: PageReader) {
    this.#parts = parts;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const page = await this.#readFollowed(question, call);
    return page ?? this.#next.read(question, call);
  }

  async #readFollowed(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { pages, indexes, counter } = this.#parts;
    if (!pages.follows(question)) return undefined;
    const isWhole = question.query.plan.condition === undefined;
    const knowsTotal = pages.knowsTotal(question);
    // Most conditions are none that are followed.
    if (!knowsTotal && !isWhole) return undefined;
    if (knowsTotal && pages.isDeep(question) && indexes?.serves(question.query) !== true)
      return undefined;
    const page = knowsTotal ? await pages.read(question, call) : undefined;
    counter.count(page !== undefined);
    return page;
  }
}

/**
 * The same behind what is kept of unchanged data, for pages in the middle of lists without a
 * maintained page index: their rows are passed over, and nothing is counted.
 */
export class MaintainedTotalReader implements PageReader {
  readonly #parts: MaintainedReaderParts;
  readonly #next: PageReader;

  constructor(parts: MaintainedReaderParts, next: PageReader) {
    this.#parts = parts;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const { pages, indexes, counter } = this.#parts;
    const isMissed = pages.isDeep(question) && indexes?.has(question.query) !== true;
    if (!isMissed || !pages.follows(question) || !pages.knowsTotal(question))
      return this.#next.read(question, call);
    const page = await pages.read(question, call);
    counter.count(page !== undefined);
    return page ?? this.#next.read(question, call);
  }
}
