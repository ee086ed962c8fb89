import { waitOrAbort, waitOrStop } from '../../deadline.ts';
import { callerContext } from '../../tracing.ts';
import type { ReadCall } from '../../sources/source.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { Question, Reader } from '../reader.ts';
import { SharedCall } from '../../sources/read-call.ts';

/** Questions that arrive during a read share the next one: no answer is older than its question. */
export class SingleFlight<Asked extends Question, Answer> implements Reader<Asked, Answer> {
  readonly #next: Reader<Asked, Answer>;
  readonly #counter: HitCounter;
  readonly #running = new Map<string, SharedRead<Asked, Answer>>();
  readonly #waiting = new Map<string, SharedRead<Asked, Answer>>();

  constructor(next: Reader<Asked, Answer>, counters: MechanismCounters) {
    this.#next = next;
    this.#counter = counters.create('single_flight');
  }

  /** @throws {QueryFailedError} `cancelled` or `query_timeout`, even if the shared read goes on */
  read(question: Asked, call: ReadCall): Promise<Answer> {
    const running = this.#running.get(question.key);
    this.#counter.count(running !== undefined);
    if (running === undefined) {
      const first = new SharedRead<Asked, Answer>(question);
      // The read stops at the deadline, and may still have its answer.
      const answer = first.wait(call, waitOrStop);
      void this.#run(first);
      return answer;
    }
    running.shared.addCallers(call);
    const known = this.#waiting.get(question.key);
    const next =
      known === undefined || known.shared.isAbandoned
        ? new SharedRead<Asked, Answer>(question)
        : known;
    this.#waiting.set(question.key, next);
    return next.wait(call, waitOrAbort);
  }

  async #run(read: SharedRead<Asked, Answer>): Promise<void> {
    const { key } = read.question;
    this.#running.set(key, read);
    await read.begin(this.#next);
    this.#running.delete(key);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (waiting !== undefined && !waiting.shared.isAbandoned) void this.#run(waiting);
  }
}

class SharedRead<Asked extends Question, Answer> {
  readonly question: Asked;
  readonly shared = new SharedCall();
  readonly #answer = Promise.withResolvers<Answer>();
  /** The first caller's async context, though another read's end starts this one. */
  readonly #inContext = callerContext();

  constructor(question: Asked) {
    this.question = question;
  }

  async begin(next: Reader<Asked, Answer>): Promise<void> {
    try {
      const { call } = this.shared;
      this.#answer.resolve(await this.#inContext(() => next.read(this.question, call)));
    } catch (error) {
      this.#answer.reject(error);
    }
  }

  wait(call: ReadCall, wait: typeof waitOrAbort): Promise<Answer> {
    this.shared.add(call);
    return wait(this.#answer.promise, call.signal, () => this.shared.remove(call.signal.reason));
  }
}
