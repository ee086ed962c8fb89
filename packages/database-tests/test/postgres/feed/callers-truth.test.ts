import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { Random } from '../../truth/random.ts';
import { callerOf, type List, TENANTS, useCallers } from './caller-lists.ts';
import { follow } from './checked-reading.ts';
import { startWriters, type TurnWriters } from './turns.ts';

const RICH = { attribute: 'amount', op: 'gte', value: 10 };

const OPEN = { attribute: 'open', op: 'eq', value: true };

/** Lists in the order of the key and in others, of all rows that are shown or of some. */
const ORDERS: readonly Pick<List, 'sort' | 'filter'>[] = [
  {},
  { sort: [{ attribute: 'amount' }] },
  { filter: RICH, sort: [{ attribute: 'amount', direction: 'desc' }] },
];

/** How many replies are compared while others write. */
const CHECKS = Number(process.env['TRUTH_REPLIES'] ?? (beforeRelease ? 200 : 30));

/** What writers do to a table, by a number of their own. */
const TRANSACTIONS: readonly ((table: string, n: number) => string | readonly string[])[] = [
  (table, n) => `select add('${table}', array[${n}], ${n % 13})`,
  (table, n) => `delete from ${table} where id between ${n} and ${n + 30}`,
  (table, n) => `select add('${table}', array(select generate_series(${n}, ${n + 30})), ${n % 13})`,
  (table, n) => `update ${table} set open = not open where id between ${n} and ${n + 60}`,
  (table, n) => `update ${table} set tenant = 't' || (${n} + id) % ${TENANTS}
    where id between ${n} and ${n + 60}`,
  (table, n) =>
    `update ${table} set id = id + 3 where id between ${n} and ${n + 50} and id % 10 = 0`,
  (table, n) =>
    `begin; update ${table} set tenant = 't0' where id between ${n} and ${n + 50}; rollback`,
];

describe(`the list of a caller of the database (seed ${SEED})`, () => {
  const { followed, start } = useCallers();

  const random = new Random(SEED);

  const writeTo = (model: string): Promise<TurnWriters> =>
    startWriters(followed().server.url, 3, (turn) => {
      const n = random.integer(0, 40_000);
      return TRANSACTIONS[turn % TRANSACTIONS.length]?.(model, n) ?? '';
    });

  it.each(eachNth(2, ['orders', 'parts', 'claimed', 'everybody']))(
    'has the exact total of what the caller is shown while others write to %s',
    async (model) => {
      const all = await start();
      const { reading } = all;
      const lists = Array.from({ length: TENANTS }, (_, tenant) => {
        const grant = callerOf(tenant);
        return [
          { model, grant },
          { model, grant, filter: OPEN },
        ];
      }).flat();
      for (const list of lists) await all.follow(list);
      const writers = await writeTo(model);
      const [before, hits] = [reading.checks, reading.hits('followed_total')];
      for (let turn = 0; reading.checks < before + CHECKS; turn++) {
        const list = lists[turn % lists.length] ?? { model };
        const offset = turn % 3 === 0 ? 0 : random.integer(200, 700);
        writers.goOn();
        await reading.read({ ...list, offset, size: 1 + (turn % 40) });
      }
      await writers.stop();
      expect(reading.mistakes).toEqual([]);
      expect(reading.hits('followed_total')).toBeGreaterThan(hits + CHECKS / 2);
    },
  );

  it.each(eachNth(2, ['orders', 'parts']))(
    'is found by a key in any order while others write to %s',
    async (model) => {
      const callers = await start();
      const { reading } = callers;
      // What has no index is followed as long as the planner knows that the table is small.
      await callers.write(`vacuum analyze ${model}`);
      const lists = ORDERS.flatMap((order) =>
        [0, 1].map((tenant) => ({ model, grant: callerOf(tenant), ...order })),
      );
      for (const list of lists)
        await follow(reading, { ...list, offset: 300, size: 10 }, 'followed_index');
      const writers = await writeTo(model);
      const [before, found] = [reading.checks, reading.hits('followed_index')];
      for (let turn = 0; reading.checks < before + CHECKS; turn++) {
        const list = lists[turn % lists.length] ?? { model };
        const offset = random.integer(0, 1000);
        writers.goOn();
        await reading.read({ ...list, offset, size: 1 + (turn % 40) });
      }
      await writers.stop();
      expect(reading.mistakes).toEqual([]);
      expect(reading.hits('followed_index')).toBeGreaterThan(found + CHECKS / 4);
    },
  );
});
