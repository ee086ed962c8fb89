import type { DynamicQueryClient, KnownList } from '@proj/client';
import { expect, it, onTestFinished } from 'vitest';

import type { GridClient } from '../model/client.ts';
import { type GridChange, ShownList } from './shown-list.ts';

const LIST = { model: 'notes', attributes: ['id'] };

const CLIENT = {
  async *watch(): AsyncGenerator<KnownList> {
    yield { total: 2n, dataVersion: '2' };
  },
} as Pick<GridClient, 'watch'> as Pick<DynamicQueryClient, 'watch'>;

/** A list that is in its second state by now, with what a watch has said of it last. */
function watched() {
  const shown = new ShownList();
  const said: (GridChange | null)[] = [];
  onTestFinished(shown.watch(CLIENT, (change) => void said.push(change), {}));
  return {
    /** Notes a block of some state, and when it was asked for. */
    note: (block: number | null, state: 1 | 2, askedAt: number) => {
      const known = { total: BigInt(state), dataVersion: String(state) };
      shown.note({ list: LIST, known, askedAt, block });
    },
    text: () => said.at(-1)?.text,
  };
}

it('a block that was asked for first and comes last is older than those before it', async () => {
  const { note, text } = watched();
  note(10, 1, 2);
  await expect.poll(text).toBe('1 more');
  note(10, 2, 4);
  expect(text()).toBeUndefined();
  note(0, 1, 3);
  expect(text()).toBe('1 more');
});

it('a late reply for a block, or a page, that was read again is of no account', async () => {
  for (const block of [0, null]) {
    const { note, text } = watched();
    note(block, 1, 1);
    await expect.poll(text).toBe('1 more');
    note(block, 2, 3);
    expect(text()).toBeUndefined();
    note(block, 1, 2);
    expect(text()).toBeUndefined();
  }
});

it('a block that is read again counts, although one of another place was asked for later', async () => {
  const { note, text } = watched();
  note(0, 1, 1);
  await expect.poll(text).toBe('1 more');
  note(10, 2, 3);
  expect(text()).toBe('1 more');
  note(0, 2, 2);
  expect(text()).toBeUndefined();
});
