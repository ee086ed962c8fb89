import { expect, test } from 'vitest';

import { type Entrant, loadInTurns } from './in-turns.ts';
import { Latencies } from './latencies.ts';

test('after a round without a reply each connection sends one request, however long it takes', async () => {
  const amounts: unknown[] = [];
  const entrant: Entrant = {
    pid: process.pid,
    load: async ({ amount }) => {
      amounts.push(amount);
      const answered = amount ?? 0;
      return { answered, seconds: 0.1, latencies: new Latencies(), refused: 0, failed: 0 };
    },
  };
  const [total] = await loadInTurns([entrant], { connections: 3, seconds: 0.1, rounds: 1 });
  // The first round warms up.
  expect(amounts).toEqual([undefined, 3, undefined, 3]);
  expect(total).toMatchObject({ answered: 3, refused: 0, failed: 0 });
});
