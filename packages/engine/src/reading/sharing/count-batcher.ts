import { firstCaller, NOBODY } from '../../sources/read-call.ts';
import { DEEP_OFFSET } from '../../sources/reads/page.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import { BatchQueue } from './batch-queue.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { KnownLists } from '../known-lists.ts';
import type { QueryCosts } from './query-costs.ts';
import type { PageBatchReader, PageQuestion } from '../reader.ts';

/** With slow rows, serial batches would lose more than a shared count saves. */
const MOST_SLOW_BATCHES = 4;

interface UnchangedPages extends Pick<KnownLists, 'learn'> {
  /** Undefined without a total, or where rows are of other data. */
  pages(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly (PageRows | undefined)[]>;
}

export interface CountBatcherParts {
  readonly costs: QueryCosts;
  readonly counters: MechanismCounters;
  readonly kept: UnchangedPages | undefined;
  readonly next: PageBatchReader;
}

/** Where worth waiting for, pages of a list share a count, or a total found meanwhile. */
export class CountBatcher implements PageBatchReader {
  readonly #parts: CountBatcherParts;
  readonly #counter: HitCounter;
  readonly #queues = new Map<string, BatchQueue<PageQuestion, PageRows>>();

  constructor(parts: CountBatcherParts) {
    this.#parts = parts;
    this.#counter = parts.counters.create('count_batcher');
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const { query } = question;
    const shares = query.plan.facts.hasSnapshots && this.#parts.costs.isExpensive(query);
    return shares ? this.#readInBatch(question, call) : this.#parts.next.read(question, call);
  }

  async readBatch(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly PageRows[]> {
    const { kept } = this.#parts;
    const known = kept === undefined ? [] : await kept.pages(questions, call);
    const missing = questions.filter((_question, index) => known[index] === undefined);
    const read = missing.length > 0 ? await this.#parts.next.readBatch(missing, call) : [];
    const foundFor = firstCaller(call);
    for (const [index, page] of read.entries()) {
      const question = missing[index];
      if (question !== undefined) kept?.learn(question, { ...page, foundFor });
    }
    let next = 0;
    return questions.flatMap((_question, index) => known[index] ?? read[next++] ?? []);
  }

  #readInBatch(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const slowRows = this.#parts.costs.hasSlowRows(question.query);
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

/** All callers share where rows are quick; otherwise nobody waits for another's slow rows. */
function queueKey(
  { query, range }: PageQuestion,
  { callers }: ReadCall,
  slowRows: boolean,
): string {
  if (!slowRows && range.offset <= DEEP_OFFSET) return query.totalKey;
  const [caller = NOBODY] = callers ?? [];
  return `${query.totalKey}\n${caller}`;
}
