import { describe, expect, it } from 'vitest';

import type { AskRow } from '../../connection/connection.ts';
import type { KeyTexts, RowChange } from '../changes/transactions.ts';
import { KeyPlacing, PlacedOrder } from './placed-order.ts';
import { type ListLimits, OrderedList, type PlacedKey } from './ordered-list.ts';

const COLUMN = { name: 'word', databaseType: 'text', direction: 'asc' } as const;

const LIMITS: ListLimits = { step: 2, splitRows: 4, chunkRows: 100, buckets: 1000 };

/** No collation that the service could guess: the shortest first, and then backwards. */
function compare([one]: KeyTexts, [other]: KeyTexts): number {
  const [a, b] = [one ?? '', other ?? ''];
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

/** Answers as the database does. */
const database: AskRow = async ({ parameters: [json] }) => {
  const asked = JSON.parse(String(json)) as [KeyTexts, KeyTexts[]][];
  return [
    JSON.stringify(asked.map(([key, all]) => all.filter((b) => compare(b, key) <= 0).length)),
  ];
};

/** Words in the order of the database, and the list of them. */
function listOf(...words: readonly string[]) {
  const order = PlacedOrder.of([COLUMN]);
  if (order === undefined) throw new Error('Texts can be placed.');
  const list = new OrderedList(order, LIMITS);
  const placing = new KeyPlacing(list, order, { path: ['public', 'words'], columns: [COLUMN] });
  const rows = new Set(words);
  const sorted = (): KeyTexts[] => [...rows].map((word) => [word]).toSorted(compare);
  const learn = async (
    unseen: () => readonly RowChange[] | undefined = () => [],
    { ask = database, keys = sorted() }: { ask?: AskRow; keys?: readonly KeyTexts[] } = {},
  ): Promise<void> => {
    const read = list.nextRead([]);
    if (read === undefined) throw new Error('There is nothing to read.');
    const { from } = read;
    const all = keys.filter((key) => from === undefined || compare(key, from) >= 0);
    const taken = all.slice(0, read.rows).map((texts, place): PlacedKey => ({ texts, place }));
    await placing.learn(
      read,
      taken.filter(({ place }) => place % LIMITS.step === 0 || place === taken.length - 1),
      { unseen, ask },
    );
  };
  const change = async (changes: readonly RowChange[]): Promise<void> => {
    for (const { came, went } of changes) {
      if (went !== undefined) rows.delete(String(went[0]));
      if (came !== undefined) rows.add(String(came[0]));
    }
    await placing.place(changes, database);
    list.append({ rows: changes });
    placing.clear();
  };
  /** The rows at each place of the list, as its buckets lead to them. */
  const found = (unseen: readonly RowChange[] = []): (string | null | undefined)[] =>
    sorted().map((_row, offset) => {
      const place = list.locate({ size: 1, offset: BigInt(offset) }, unseen);
      const from = place?.from;
      const behind = sorted().filter((key) => from === undefined || compare(key, from) >= 0);
      return place && behind[place.skip]?.[0];
    });
  return { list, placing, learn, change, found, rows: () => sorted().map(([word]) => word) };
}

const came = (...words: readonly string[]): RowChange[] => words.map((word) => ({ came: [word] }));

describe('the keys of a list that the database sorts', () => {
  it('lead to each row, as rows come and go and buckets are split', async () => {
    const { list, learn, change, found, rows } = listOf('bb', 'a', 'dddd', 'c', 'ccc');
    await learn();
    expect(found()).toEqual(['c', 'a', 'bb', 'ccc', 'dddd']);
    for (const [turn, letters] of ['az', 'zzz', 'ba', 'dda', 'cccc', 'xyz'].entries()) {
      await change(came(...Array.from(letters, (_letter, end) => letters.slice(end) + turn)));
      await change([{ went: [letters + String(turn)] }]);
      while (list.nextRead([]) !== undefined) await learn();
      expect(found()).toEqual(rows());
    }
    expect(list.isBroken).toBe(false);
    expect(list.length).toBeGreaterThan(4);
  });

  it('are placed anew where the list got others meanwhile', async () => {
    const { list, placing, learn, change } = listOf('a', 'b');
    await learn();
    const rows = came('cc');
    let asked = 0;
    await placing.place(rows, async (statement) => {
      if (asked++ === 0) await change(came('ddd'));
      return database(statement);
    });
    expect(placing.knows(rows)).toBe(true);
    expect(asked).toBe(2);
    expect(list.isBroken).toBe(false);
  });

  it('are not learned where another base snapshot was taken meanwhile', async () => {
    const { list, learn, found } = listOf('a', 'b');
    let asked = 0;
    await learn(() => (asked++ === 0 ? [] : undefined));
    expect(list.isComplete).toBe(false);
    await learn();
    expect(found()).toEqual(['b', 'a']);
  });

  it('are not learned twice, where two reads bring them', async () => {
    const { list, learn, change, found } = listOf('a', 'b', 'c');
    const learnTwice = (): Promise<void> =>
      learn(undefined, {
        ask: async (statement) => {
          await learn();
          return database(statement);
        },
      });
    await learnTwice();
    expect(list.total([])).toBe(3n);
    await change(came('d', 'e', 'f'));
    await learnTwice();
    expect(list.isBroken).toBe(false);
    expect(found()).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
  });

  it.each([
    { why: 'no UTF-8', word: 'a\u{FFFD}' },
    { why: 'too long', word: 'a'.repeat(600) },
  ])('are forgotten with a key that is $why', async ({ word }) => {
    const { list, placing, learn } = listOf('a', 'b');
    await learn();
    await placing.place(came(word), database);
    expect(list.isBroken).toBe(true);
    const other = listOf('b', 'a', word, 'c');
    await other.learn();
    expect(other.list.isBroken).toBe(true);
  });

  it('are forgotten where a bucket was read past its end', async () => {
    const { list, learn, change } = listOf('a', 'b', 'zzz');
    await learn();
    await change(came('c', 'd', 'e', 'f'));
    await learn(undefined, { keys: [['f'], ['e'], ['d'], ['c'], ['b'], ['zzz']] });
    expect(list.isBroken).toBe(true);
  });
});
