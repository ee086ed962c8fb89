import { waitOrAbort } from '../../deadline.ts';
import { Callers, firstCaller, NOBODY, SharedCall } from '../../sources/read-call.ts';
import { FairQueue } from '../../sources/pools/fair-queue.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import { type CallerContext, callerContext } from '../../tracing.ts';
import type {
  BatchReader,
  PageBatchReader,
  PageQuestion,
  Question,
  KnownLists,
} from '../reader.ts';
import { DEEP_OFFSET } from '../../sources/reads/page.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { QueryCosts } from './query-costs.ts';

/** With slow rows, serial batches would lose more than a shared count saves. */
const MOST_SLOW_BATCHES = 4;

interface UnchangedPages extends Required<Pick<KnownLists, 'learn'>> {
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

/** In one transaction, so that none lasts too long. */
const LARGEST_BATCH = 32;

/** Each batch is one snapshot, taken after its last question arrived. */
export class BatchQueue<Asked extends Question, Answer> {
  readonly #next: Pick<BatchReader<Asked, Answer>, 'readBatch'>;
  readonly #waiters = new FairQueue<Waiter<Asked, Answer>>();
  readonly #running = new Set<SharedCall>();

  constructor(next: Pick<BatchReader<Asked, Answer>, 'readBatch'>) {
    this.#next = next;
  }

  get running(): number {
    return this.#running.size;
  }

  add(question: Asked, call: ReadCall): Promise<Answer> {
    const waiter = new Waiter<Asked, Answer>(question, call);
    this.#waiters.add(waiter, call.callers ?? new Callers(undefined));
    for (const batch of this.#running) batch.addCallers(call);
    return waiter.answer;
  }

  async readAll(): Promise<void> {
    while (this.#waiters.size > 0) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      const shared = new SharedCall();
      this.#running.add(shared);
      await this.#readBatch(batch, shared);
      this.#running.delete(shared);
    }
  }

  async #readBatch(batch: readonly Waiter<Asked, Answer>[], shared: SharedCall): Promise<void> {
    for (const waiter of batch) waiter.join(shared);
    try {
      const questions = batch.map(({ question }) => question);
      const read = (): Promise<readonly Answer[]> => this.#next.readBatch(questions, shared.call);
      const answers = await (batch[0]?.inContext(read) ?? []);
      for (const [index, answer] of answers.entries()) batch[index]?.settled.resolve(answer);
      if (answers.length < batch.length)
        throw new Error('The batch was read without this question.');
    } catch (error) {
      for (const { settled } of batch) settled.reject(error);
    }
  }

  /** One question of each caller in turn, so that nobody fills the batch. */
  #takeBatch(): Waiter<Asked, Answer>[] {
    const batch: Waiter<Asked, Answer>[] = [];
    while (batch.length < LARGEST_BATCH) {
      const taken = this.#waiters.take(() => true);
      if (taken === undefined) break;
      if (!taken.item.isAbandoned) batch.push(taken.item);
    }
    return batch;
  }
}

class Waiter<Asked extends Question, Answer> {
  readonly question: Asked;
  readonly answer: Promise<Answer>;
  readonly settled = Promise.withResolvers<Answer>();
  readonly inContext: CallerContext = callerContext();
  readonly #call: ReadCall;
  #batch: SharedCall | undefined;
  isAbandoned = false;

  constructor(question: Asked, call: ReadCall) {
    this.question = question;
    this.#call = call;
    this.answer = waitOrAbort(this.settled.promise, call.signal, () => {
      this.isAbandoned = true;
      this.#batch?.remove(call.signal.reason);
    });
  }

  join(batch: SharedCall): void {
    this.#batch = batch;
    batch.add(this.#call);
  }
}
