import { beforeRelease, SEED } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callOf } from '../../../engine/test/call.ts';
import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { outcome } from '../outcome.ts';
import { children, exists, latestPid, untilBusy } from '../reader-processes.ts';
import { slowSelect, statements } from '../statements.ts';
import { Random } from '../truth/random.ts';
import { Database } from '../../../sqlite/src/database.ts';
import type { ReaderRequest } from '../../../sqlite/src/connection/reader-protocol.ts';

const ENDLESS = 10 ** 12;

const pools: Database[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});

async function openPool(connections = 1): Promise<Database> {
  const limits = { connections, maxWaiting: 1000, maxWaitMs: 15_000 };
  const pool = new Database(databaseFile(), limits);
  pools.push(pool);
  await ask(pool, { value: 0 });
  return pool;
}

interface Question {
  readonly value: number;
  readonly steps?: number;
  readonly signal?: AbortSignal;
}

async function ask(pool: Database, { value, steps = 1, signal }: Question): Promise<string> {
  const request: ReaderRequest = {
    kind: 'page',
    asked: {
      range: { size: 10, offset: 0n },
      query: statements({ rows: slowSelect(value, steps), count: 'select 1' }),
    },
  };
  const answer = await pool.ask(
    () => ({ generation: 0, request }),
    callOf({ signal, timeoutMs: 15_000 }),
  );
  return (answer.value as { json: string }).json;
}

function gone(pid: number): Promise<void> {
  return expect.poll(() => exists(pid)).toBe(false);
}

describe('a caller that disconnects', () => {
  let pool: Database;
  beforeAll(async () => {
    pool = await openPool();
  });

  it('while the statement runs gets its error at once, and the statement is stopped with its process', async () => {
    const pid = latestPid();
    const controller = new AbortController();
    const asked = ask(pool, { value: 1, steps: ENDLESS, signal: controller.signal });
    const refused = outcome(asked);
    await untilBusy(pid);
    controller.abort();
    expect(await refused).toBe('cancelled');
    await gone(pid);
    await expect(ask(pool, { value: 2 })).resolves.toBe('2');
  });

  it('in the same moment in which it asks stops the statement too', async () => {
    const controller = new AbortController();
    const asked = ask(pool, { value: 1, steps: ENDLESS, signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await expect(ask(pool, { value: 2 })).resolves.toBe('2');
  });

  it('before it asks costs nothing', async () => {
    const forked = children.length;
    await expect(ask(pool, { value: 1, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(children).toHaveLength(forked);
  });

  it('while it waits gives its place up, and the others are answered', async () => {
    const running = new AbortController();
    const waiting = new AbortController();
    const first = ask(pool, { value: 1, steps: ENDLESS, signal: running.signal });
    const second = ask(pool, { value: 2, signal: waiting.signal });
    const third = ask(pool, { value: 3 });
    const refusals = Promise.allSettled([first, second]);
    await untilBusy();
    waiting.abort();
    const fourth = ask(pool, { value: 4 });
    running.abort();
    expect(await refusals).toMatchObject([
      { reason: { code: 'cancelled' } },
      { reason: { code: 'cancelled' } },
    ]);
    await expect(Promise.all([third, fourth])).resolves.toEqual(['3', '4']);
  });

  it('from a question that is nearly done does not cost a process', async () => {
    const forked = children.length;
    const controller = new AbortController();
    const asked = ask(pool, { value: 1, signal: controller.signal });
    const settled = Promise.allSettled([asked]);
    await Promise.resolve();
    await Promise.resolve();
    controller.abort();
    await settled;
    await expect(ask(pool, { value: 2 })).resolves.toBe('2');
    expect(children).toHaveLength(forked);
  });
});

const CALLERS = beforeRelease ? 200 : 24;

describe(`${CALLERS} callers that leave at any moment (seed ${SEED})`, () => {
  it('never harm the answer of another', async () => {
    const [pool, pace] = [await openPool(2), await openPool()];
    const random = new Random(SEED);
    const anySteps = (): number => 10 ** random.integer(0, 5);
    const outcomes: Promise<void>[] = [];
    for (let value = 1; value <= CALLERS; value++) {
      const leaver = new AbortController();
      const steps = random.chance(0.1) ? 10_000_000 : anySteps();
      const left = ask(pool, { value, steps, signal: leaver.signal }).then(
        (answer) => expect(answer).toBe(String(value)),
        (error: unknown) => expect(error).toMatchObject({ code: 'cancelled' }),
      );
      const stayed = ask(pool, { value: -value }).then((answer) =>
        expect(answer).toBe(String(-value)),
      );
      // It leaves when somebody else has been served.
      const leaving = ask(pace, { value, steps: anySteps() }).then(() => leaver.abort());
      outcomes.push(left, stayed, leaving);
      if (value % 4 === 0) await leaving;
    }
    await Promise.all(outcomes);
    await expect(ask(pool, { value: 1000 })).resolves.toBe('1000');
  });
});
