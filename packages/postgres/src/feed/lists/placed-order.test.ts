import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { AskRow } from '../../connection/connection.ts';
import type { KeyTexts, RowChange } from '../changes/transactions.ts';
import { KeyPlacing, PlacedOrder } from './placed-order.ts';
import { type ListLimits, OrderedList, type PlacedKey } from './ordered-list.ts';

const COLUMN = { name: 'word', databaseType: 'text', direction: 'asc' } as const;

const LIMITS: ListLimits = { step: 2, splitRows: 4, chunkRows: 100, buckets: 1000 };

type Word = string | null;
type LearnParts = Parameters<KeyPlacing['learn']>[2];

/** No collation that the service could guess: the shortest first, and then backwards. */
const compareBy =
  (nulls: 'first' | 'last' | undefined) =>
  ([one]: KeyTexts, [other]: KeyTexts): number => {
    if (one === other) return 0;
    if (one === null || other === null) return (one === null) === (nulls === 'first') ? -1 : 1;
    const [a, b] = [one ?? '', other ?? ''];
    if (a.length !== b.length) return a.length - b.length;
    return a < b ? 1 : -1;
  };

interface ListKind {
  readonly nulls?: 'first' | 'last';
  readonly chunkRows?: number;
}

/** Words in the order of the database, and the list of them. */
function listOf(first: readonly Word[], { nulls, chunkRows = 100 }: ListKind = {}) {
  const compare = compareBy(nulls);
  const column = { ...COLUMN, nulls };
  const order = PlacedOrder.of([column]);
  if (order === undefined) throw new Error('Texts can be placed.');
  const list = new OrderedList(order, { ...LIMITS, chunkRows });
  const placing = new KeyPlacing(list, order, { path: ['public', 'words'], columns: [column] });
  const asked: KeyTexts[][] = [];
  /** Answers as the database does. */
  const database: AskRow = async ({ parameters: [json] }) => {
    const questions = JSON.parse(String(json)) as [KeyTexts, KeyTexts[]][];
    asked.push(questions.map(([key]) => key));
    return [
      JSON.stringify(questions.map(([key, all]) => all.filter((b) => compare(b, key) <= 0).length)),
    ];
  };
  const rows = new Set(first);
  const sorted = (): KeyTexts[] => [...rows].map((word) => [word]).toSorted(compare);
  /** Reads keys, which the list takes later, together with what changed meanwhile. */
  const read = (keys: readonly KeyTexts[] = sorted()) => {
    const wanted = list.nextRead([]);
    if (wanted === undefined) throw new Error('There is nothing to read.');
    const moved = list.movesFromNow();
    const { from, part } = wanted;
    const all = keys.filter(
      (key) =>
        (from === undefined || compare(key, from) >= 0) &&
        (part === undefined || (part === 'null') === (key[0] === null)),
    );
    const taken = all.slice(0, wanted.rows).map((texts, place): PlacedKey => ({ texts, place }));
    const few = taken.filter(
      ({ place }) => place % LIMITS.step === 0 || place === taken.length - 1,
    );
    return async ({ unseen = moved, ask = database }: Partial<LearnParts> = {}): Promise<boolean> =>
      placing.learn(wanted, few, { unseen, ask });
  };
  const learn = async (parts?: Partial<LearnParts>): Promise<boolean> => read()(parts);
  const change = async (changes: readonly RowChange[]): Promise<void> => {
    for (const { came, went } of changes) {
      if (went !== undefined) rows.delete(went[0] ?? null);
      if (came !== undefined) rows.add(came[0] ?? null);
    }
    await placing.place(changes, database);
    list.append({ rows: changes });
    placing.clear();
  };
  /** The rows at each place of the list, as its buckets lead to them. */
  const found = (): (Word | undefined)[] =>
    sorted().map((_row, offset) => {
      const place = list.locate({ size: 1, offset: BigInt(offset) }, []);
      const from = place?.from;
      const behind = sorted().filter((key) => from === undefined || compare(key, from) >= 0);
      return place && behind[place.skip]?.[0];
    });
  const words = (): (Word | undefined)[] => sorted().map(([word]) => word);
  return { list, placing, read, learn, change, found, words, database, asked };
}

const came = (...words: readonly string[]): RowChange[] => words.map((word) => ({ came: [word] }));
const went = (...words: readonly string[]): RowChange[] => words.map((word) => ({ went: [word] }));

/** One of many words, which comes or goes, or NULL; or a read of keys begins, or is learned. */
const STEPS = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }) },
    fc.constant(null),
    { weight: 3, arbitrary: fc.constantFrom('read' as const, 'learn' as const) },
  ),
  { minLength: 20, maxLength: 120, size: 'max' },
);

it('only lists of columns that the database or Node compares are placed', () => {
  expect(PlacedOrder.of([COLUMN, { ...COLUMN, databaseType: 'bigint' }])?.parts).toEqual([]);
  expect(PlacedOrder.of([{ ...COLUMN, nulls: 'first' }])?.parts).toEqual(['null', 'not_null']);
  expect(PlacedOrder.of([COLUMN, { ...COLUMN, databaseType: 'interval' }])).toBeUndefined();
});

describe('the keys of a list that the database sorts', () => {
  it.each<ListKind>([{}, { chunkRows: 4 }, { nulls: 'first' }, { nulls: 'last', chunkRows: 4 }])(
    'lead to each row as rows come and go while keys are read: %o',
    async (kind) => {
      let whole = 0;
      await fc.assert(
        fc.asyncProperty(STEPS, async (steps) => {
          const list = listOf(kind.nulls === undefined ? ['m'] : ['m', null, 'mmmm'], kind);
          await followSteps(list, steps);
          if (list.list.isBroken) return;
          expect(list.found()).toEqual(list.words());
          whole += 1;
        }),
      );
      // Rows between the two parts of a list may break it.
      expect(whole).toBeGreaterThan(kind.nulls === undefined ? 99 : 20);
    },
  );

  it('are placed anew where the list got others meanwhile, three times at most', async () => {
    const { list, placing, learn, change, database } = listOf(['a', 'b']);
    await learn();
    const rows = came('cc');
    const placeTimes = async (most: number): Promise<number> => {
      let times = 0;
      await placing.place(rows, async (statement) => {
        if (times++ < most) await change(came('ddd'.repeat(most) + String(times)));
        return database(statement);
      });
      return times;
    };
    expect([await placeTimes(1), placing.knows(rows)]).toEqual([2, true]);
    placing.clear();
    expect([placing.knows(rows), await placeTimes(4), placing.knows(rows)]).toEqual([
      false,
      3,
      false,
    ]);
    expect(list.isBroken).toBe(false);
  });

  it('are placed anew where others are being learned, and where they have been', async () => {
    const { placing, learn, change, database, found, words } = listOf(['a', 'b']);
    await learn();
    await change(came('c', 'd', 'e'));
    const rows = came('bb');
    await placing.place(rows, database);
    const learned = Promise.withResolvers<undefined>();
    let [wasKnown, times, placed] = [true, 0, Promise.resolve()];
    await learn({
      ask: async (statement) => {
        wasKnown = placing.knows(rows);
        placed = placing.place(rows, async (place) => {
          times += 1;
          await learned.promise;
          return database(place);
        });
        return database(statement);
      },
    });
    learned.resolve(undefined);
    await placed;
    expect([wasKnown, times]).toEqual([false, 2]);
    await change(rows);
    expect(found()).toEqual(words());
  });

  it('are asked for once, and not where the list is broken', async () => {
    const { list, placing, learn, database, asked } = listOf(['a', 'b', 'c', 'd']);
    await learn();
    for (const words of [['e'], ['e', 'ff'], ['ff']]) await placing.place(came(...words), database);
    // Of the keys that were read, the last alone.
    expect(asked).toEqual([[['a']], [['e']], [['ff']]]);
    list.forget();
    await placing.place(came('g'), database);
    expect(asked).toHaveLength(3);
  });

  it('are not learned where another base snapshot was taken before or meanwhile', async () => {
    const { list, learn, found } = listOf(['a', 'b']);
    for (const known of [0, 1]) {
      let times = 0;
      const unseen = (): RowChange[] | undefined => (times++ < known ? [] : undefined);
      expect([await learn({ unseen }), list.isComplete, list.isBroken]).toEqual([
        false,
        false,
        false,
      ]);
    }
    expect(await learn()).toBe(true);
    expect(found()).toEqual(['b', 'a']);
  });

  it('are not learned twice, where two reads bring them', async () => {
    const { list, learn, change, database, found } = listOf(['a', 'b', 'c']);
    const learnTwice = (): Promise<boolean> =>
      learn({
        ask: async (statement) => {
          expect(await learn()).toBe(true);
          return database(statement);
        },
      });
    expect([await learnTwice(), list.total([])]).toEqual([false, 3n]);
    await change(came('d', 'e', 'f'));
    expect([await learnTwice(), list.isBroken]).toEqual([false, false]);
    expect(found()).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
  });

  it('are not learned for a bucket that has gone since', async () => {
    const { list, learn, read, change, found } = listOf(['a', 'b', 'dd', 'ee']);
    await learn();
    await change(came('aa', 'bb', 'cc'));
    const late = read();
    await change(went('aa', 'bb', 'cc', 'dd', 'ee'));
    expect([await late(), list.isBroken, list.length]).toEqual([false, false, 1]);
    expect(found()).toEqual(['b', 'a']);
  });

  it('are forgotten with a key that cannot be placed, wherever it comes from', async () => {
    for (const word of ['a\u{FFFD}', 'a'.repeat(600)]) {
      const { list, placing, learn, database } = listOf(['a', 'b']);
      await learn();
      await placing.place(came(word), database);
      expect(list.isBroken).toBe(true);
      const unseen = listOf(['a', 'b']);
      expect(await unseen.learn({ unseen: () => came(word) })).toBe(false);
      expect(unseen.list.isBroken).toBe(true);
    }
    const read = listOf(['b', 'a', 'a\u{FFFD}', 'ccc']);
    expect([await read.learn(), read.list.isBroken]).toEqual([false, true]);
  });

  it('are forgotten where a bucket was read past its end', async () => {
    const { list, learn, read, change } = listOf(['a', 'b', 'zzz']);
    await learn();
    await change(came('c', 'd', 'e', 'f'));
    expect(await read([['f'], ['e'], ['d'], ['c'], ['b'], ['zzz']])()).toBe(false);
    expect(list.isBroken).toBe(true);
  });
});

/** Changes rows and reads keys as the steps say, and then until the list wants no more. */
async function followSteps(
  { list, read, learn, change, words }: ReturnType<typeof listOf>,
  steps: readonly Word[],
): Promise<void> {
  let late: ReturnType<typeof read> | undefined;
  for (const step of steps) {
    if (step === 'read') late ??= list.nextRead([]) && read();
    else if (step === 'learn') {
      await late?.();
      late = undefined;
    } else await change([words().includes(step) ? { went: [step] } : { came: [step] }]);
    if (list.isBroken) return;
  }
  for (let reads = 0; reads < 100 && list.nextRead([]) !== undefined; reads++) await learn();
}
