import type { ReadCall } from '../../sources/source.ts';
import type { MechanismCounters } from '../cache-stats.ts';
import type { Question, Reader } from '../reader.ts';
import { BatchQueues } from './batch-queues.ts';

/** Questions that arrive during a read share the next one: no answer is older than its question. */
export class SingleFlight<Asked extends Question, Answer> implements Reader<Asked, Answer> {
  readonly #queues: BatchQueues<Asked, Answer>;

  constructor(next: Reader<Asked, Answer>, counters: MechanismCounters) {
    const readBatch = async (equal: readonly Asked[], call: ReadCall): Promise<Answer[]> => {
      const [first] = equal;
      const answer = first && (await next.read(first, call));
      return answer === undefined ? [] : equal.map(() => answer);
    };
    this.#queues = new BatchQueues({ readBatch }, counters.create('single_flight'));
  }

  /** @throws {QueryFailedError} `cancelled` or `query_timeout`, even if the shared read goes on */
  read(question: Asked, call: ReadCall): Promise<Answer> {
    return this.#queues.read(question.key, question, { call, atOnce: 1 });
  }
}
