import { firstCaller, NOBODY } from '../../sources/callers.ts';
import { DEEP_OFFSET } from '../../sources/reads/page.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import { BatchQueue } from './batch-queue.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { KnownLists } from '../known-lists.ts';
import type { QueryCosts } from './query-costs.ts';
import type { PageBatchReader, PageQuestion } from '../reader.ts';

/**
 * How many batches of one list are read at a time where reading rows takes longer than the count:
 * reading them one after another would cost more time than the shared count saves.
 */
const MOST_SLOW_BATCHES = 4;

/** Pages of lists whose total an earlier read found. */
interface UnchangedPages extends Pick<KnownLists, 'learn'> {
  /** Pages of one list; undefined where the total is not known, or the rows are of other data. */
  pages(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly (PageRows | undefined)[]>;
}

/** What a count batcher is made of. */
export interface CountBatcherParts {
  readonly costs: QueryCosts;
  readonly counters: MechanismCounters;
  /** Undefined where no total is kept. */
  readonly kept: UnchangedPages | undefined;
  /** Reads a page, or the pages of a batch from one snapshot with one count. */
  readonly next: PageBatchReader;
}

/**
 * Lets callers who ask for pages of one list share its count, where that is worth waiting for:
 * while it is counted for some of them, the others wait for the next count, which is not needed if
 * the total was found meanwhile.
 */
export class CountBatcher implements PageBatchReader {
  readonly #costs: QueryCosts;
  readonly #counter: HitCounter;
  readonly #kept: UnchangedPages | undefined;
  readonly #next: PageBatchReader;
  readonly #queues = new Map<string, BatchQueue<PageQuestion, PageRows>>();

  constructor({ costs, counters, kept, next }: CountBatcherParts) {
    this.#costs = costs;
    this.#counter = counters.create('count_batcher');
    this.#kept = kept;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const { query } = question;
    const shares = query.plan.facts.hasSnapshots && this.#costs.isExpensive(query);
    return shares ? this.#readInBatch(question, call) : this.#next.read(question, call);
  }

  async readBatch(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly PageRows[]> {
    const known = this.#kept === undefined ? [] : await this.#kept.pages(questions, call);
    const missing = questions.filter((_question, index) => known[index] === undefined);
    const read = missing.length > 0 ? await this.#next.readBatch(missing, call) : [];
    const foundFor = firstCaller(call);
    for (const [index, page] of read.entries()) {
      const question = missing[index];
      if (question !== undefined) this.#kept?.learn(question, { ...page, foundFor });
    }
    let next = 0;
    return questions.flatMap((_question, index) => known[index] ?? read[next++] ?? []);
  }

  #readInBatch(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const slowRows = this.#costs.hasSlowRows(question.query);
    const key = queueKey(question, call, slowRows);
    const known = this.#queues.get(key);
    this.#counter.count(known !== undefined);
    const queue = known ?? new BatchQueue<PageQuestion, PageRows>(this);
    this.#queues.set(key, queue);
    const page = queue.add(question, call);
    if (queue.running < (slowRows ? MOST_SLOW_BATCHES : 1)) void this.#readAll(key, queue);
    return page;
  }

  async #readAll(key: string, queue: BatchQueue<PageQuestion, PageRows>): Promise<void> {
    await queue.readAll();
    if (queue.running === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
  }
}

/**
 * Which requests share a count: those of all callers where rows are read quickly, otherwise those
 * of one caller, so that no caller waits for the slow rows of another.
 */
function queueKey(
  { query, range }: PageQuestion,
  { callers }: ReadCall,
  slowRows: boolean,
): string {
  if (!slowRows && range.offset <= DEEP_OFFSET) return query.totalKey;
  const [caller = NOBODY] = callers ?? [];
  return `${query.totalKey}\n${caller}`;
}
