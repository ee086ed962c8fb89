import type { BatchReader, Question } from '../src/reading/reader.ts';
import type { ReadCall } from '../src/sources/source.ts';

/** A read that waits for the test to answer it. */
export interface Read<Asked, Answer> {
  readonly questions: readonly Asked[];
  readonly call: ReadCall;
  /** Whether the questions were asked as a batch. */
  readonly batch: boolean;
  answer(...answers: readonly Answer[]): void;
  fail(error: unknown): void;
}

/** The end of a chain, whose reads the test answers. A read fails with the reason of its signal. */
export class ReaderByHand<Asked extends Question, Answer> implements BatchReader<Asked, Answer> {
  readonly reads: Read<Asked, Answer>[] = [];

  async read(question: Asked, call: ReadCall): Promise<Answer> {
    const [answer] = await this.#wait([question], call, false);
    return answer as Answer;
  }

  readBatch(questions: readonly Asked[], call: ReadCall): Promise<readonly Answer[]> {
    return this.#wait(questions, call, true);
  }

  #wait(questions: readonly Asked[], call: ReadCall, batch: boolean): Promise<readonly Answer[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>();
    call.signal.addEventListener('abort', () => reject(call.signal.reason));
    this.reads.push({
      questions,
      call,
      batch,
      answer: (...answers) => resolve(answers),
      fail: reject,
    });
    return promise;
  }
}

/** Waits until everything that can go on has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
