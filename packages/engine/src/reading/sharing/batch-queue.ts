import { waitOrAbort } from '../../deadline.ts';
import { Callers, SharedCall } from '../../sources/read-call.ts';
import { FairQueue } from '../../sources/pools/fair-queue.ts';
import type { ReadCall } from '../../sources/source.ts';
import { type CallerContext, callerContext } from '../../tracing.ts';
import type { BatchReader, Question } from '../reader.ts';

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

  /** @throws {QueryFailedError} as the next link does, or the reason of the signal while waiting */
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

  /** Never rejects: those who wait get the error. */
  async #readBatch(batch: readonly Waiter<Asked, Answer>[], shared: SharedCall): Promise<void> {
    for (const waiter of batch) waiter.join(shared);
    try {
      const questions = batch.map(({ question }) => question);
      const read = (): Promise<readonly Answer[]> => this.#next.readBatch(questions, shared.call);
      const answers = await (batch[0]?.inContext(read) ?? []);
      for (const [index, waiter] of batch.entries()) waiter.resolve(answers[index]);
    } catch (error) {
      for (const waiter of batch) waiter.reject(error);
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
  readonly inContext: CallerContext = callerContext();
  readonly #call: ReadCall;
  readonly #settled = Promise.withResolvers<Answer>();
  #batch: SharedCall | undefined;
  #isAbandoned = false;

  constructor(question: Asked, call: ReadCall) {
    this.question = question;
    this.#call = call;
    this.answer = waitOrAbort(this.#settled.promise, call.signal, () => {
      this.#isAbandoned = true;
      this.#batch?.remove(call.signal.reason);
    });
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  join(batch: SharedCall): void {
    this.#batch = batch;
    batch.add(this.#call);
  }

  resolve(answer: Answer | undefined): void {
    if (answer === undefined)
      this.#settled.reject(new Error('The batch was read without this question.'));
    else this.#settled.resolve(answer);
  }

  reject(error: unknown): void {
    this.#settled.reject(error);
  }
}
