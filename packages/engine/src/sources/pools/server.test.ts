import { describe, expect, it } from 'vitest';

import { callOf } from '../../../test/call.ts';
import { FakeConnection } from '../../../test/fake-connection.ts';
import { type Failures, Server } from './server.ts';

type Retry = Failures['retry'];

const toQueryError = (error: unknown): Error => new Error('No answer.', { cause: error as Error });

class Answering extends Server<FakeConnection> {
  asked = 0;

  constructor() {
    super(() => new FakeConnection(), { connections: 1, maxWaiting: 1, maxWaitMs: 1000 });
  }

  /** Answers the first attempt after those that are lost. */
  ask(lost: number, retry: Retry): Promise<string> {
    const start = (): { answer: Promise<string>; free: Promise<void> } => {
      this.asked += 1;
      const loss = new Error(`Attempt ${this.asked} is lost.`);
      const answer = this.asked > lost ? Promise.resolve('answered') : Promise.reject(loss);
      return { answer, free: Promise.resolve() };
    };
    return this.run(start, callOf(), { isLost: () => true, retry, toQueryError });
  }
}

const once: Retry = (_error, attempts) => (attempts === 1 ? 'now' : 'never');

describe('work that only reads', () => {
  it('is tried a second time where that promises something', async () => {
    expect(await new Answering().ask(1, once)).toBe('answered');
  });

  it('fails as its caller learns it when the second attempt fails too', async () => {
    await expect(new Answering().ask(2, once)).rejects.toMatchObject({
      message: 'No answer.',
      cause: { message: 'Attempt 2 is lost.' },
    });
  });

  it('fails at once where a second attempt promises nothing', async () => {
    const server = new Answering();
    await expect(server.ask(1, () => 'never')).rejects.toThrow('No answer.');
    expect(server.asked).toBe(1);
  });
});
