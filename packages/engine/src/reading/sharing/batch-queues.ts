import { waitOrAbort, waitOrStop } from '../../deadline.ts';
import { QueryFailedError, type QueryFailure } from '../../errors.ts';
import { Callers, SharedCall } from '../../sources/read-call.ts';
import { FairQueue } from '../../sources/pools/fair-queue.ts';
import type { ReadCall } from '../../sources/source.ts';
import { type CallerContext, callerContext } from '../../tracing.ts';
import type { HitCounter } from '../cache-stats.ts';
import type { BatchReader, Question } from '../reader.ts';

/** Without the question or caller that fails so, the others of a batch may have answers. */
const OF_ONE = new Set<QueryFailure | undefined>([
  'data_error',
  'model_unreadable',
  'overloaded',
  'reply_too_large',
]);

/** Questions that arrive while others with their key are read share a later batch. */
export class BatchQueues<Asked extends Question, Answer> {
  readonly #newQueue: () => BatchQueue<Asked, Answer>;
  readonly #counter: HitCounter;
  readonly #queues = new Map<string, BatchQueue<Asked, Answer>>();

  constructor(
    next: Pick<BatchReader<Asked, Answer>, 'readBatch'>,
    counter: HitCounter,
    largest = Infinity,
  ) {
    this.#newQueue = () => new BatchQueue(next, largest);
    this.#counter = counter;
  }

  read(
    key: string,
    question: Asked,
    { call, atOnce }: { readonly call: ReadCall; readonly atOnce: number },
  ): Promise<Answer> {
    const known = this.#queues.get(key);
    this.#counter.count(known !== undefined);
    const queue = known ?? this.#newQueue();
    this.#queues.set(key, queue);
    const answer = queue.add(question, call);
    if (queue.running < atOnce) void this.#readAll(key, queue);
    return answer;
  }

  async #readAll(key: string, queue: BatchQueue<Asked, Answer>): Promise<void> {
    await queue.readAll();
    if (queue.running === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
  }
}

/** Each batch is one snapshot, taken after its last question arrived. */
export class BatchQueue<Asked extends Question, Answer> {
  readonly #next: Pick<BatchReader<Asked, Answer>, 'readBatch'>;
  readonly #largest: number;
  readonly #waiters = new FairQueue<Waiter<Asked, Answer>>();
  readonly #running = new Set<SharedCall>();

  constructor(next: Pick<BatchReader<Asked, Answer>, 'readBatch'>, largest: number) {
    this.#next = next;
    this.#largest = largest;
  }

  get running(): number {
    return this.#running.size;
  }

  add(question: Asked, call: ReadCall): Promise<Answer> {
    // The first read stops at the deadline, and may still have its answer.
    const wait = this.running === 0 ? waitOrStop : waitOrAbort;
    const waiter = new Waiter<Asked, Answer>(question, call, wait);
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
      for (const waiter of batch) waiter.join(shared);
      await this.#readBatch(batch, shared.call);
      this.#running.delete(shared);
    }
  }

  async #readBatch(batch: readonly Waiter<Asked, Answer>[], call: ReadCall): Promise<void> {
    const started = performance.now();
    const questions = batch.map(({ question }) => question);
    try {
      const read = (): Promise<readonly Answer[]> => this.#next.readBatch(questions, call);
      const answers = await (batch[0]?.inContext(read) ?? []);
      for (const [index, answer] of answers.entries()) batch[index]?.settled.resolve(answer);
      if (answers.length < batch.length)
        throw new Error('The batch was read without this question.');
    } catch (error) {
      const code = error instanceof QueryFailedError ? error.code : undefined;
      const areEqual = questions.every(({ key }) => key === questions[0]?.key);
      if (areEqual || !OF_ONE.has(code)) for (const { settled } of batch) settled.reject(error);
      else {
        // Those who have waited in vain for a connection wait no longer than alone.
        const waitedMs = code === 'overloaded' ? performance.now() - started : 0;
        await Promise.all(batch.map((one) => this.#readBatch([one], { ...one.call, waitedMs })));
      }
    }
  }

  /** One question of each caller in turn, so that nobody fills the batch. */
  #takeBatch(): Waiter<Asked, Answer>[] {
    const batch: Waiter<Asked, Answer>[] = [];
    while (batch.length < this.#largest) {
      const taken = this.#waiters.take(() => true);
      if (taken === undefined) break;
      if (!taken.item.isAbandoned) batch.push(taken.item);
    }
    return batch;
  }
}

class Waiter<Asked extends Question, Answer> {
  readonly question: Asked;
  readonly call: ReadCall;
  readonly answer: Promise<Answer>;
  readonly settled = Promise.withResolvers<Answer>();
  readonly inContext: CallerContext = callerContext();
  #batch: SharedCall | undefined;
  isAbandoned = false;

  constructor(question: Asked, call: ReadCall, wait: typeof waitOrAbort) {
    this.question = question;
    this.call = call;
    this.answer = wait(this.settled.promise, call.signal, () => {
      this.isAbandoned = true;
      this.#batch?.remove(call.signal.reason);
    });
  }

  join(batch: SharedCall): void {
    this.#batch = batch;
    batch.add(this.call);
  }
}
