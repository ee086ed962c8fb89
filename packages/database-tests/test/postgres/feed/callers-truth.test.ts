import { eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { Random } from '../../truth/random.ts';
import { callerOf, type List, TENANTS, useCallers } from './caller-lists.ts';
import { follow, readWhileWritten } from './checked-reading.ts';

const RICH = { attribute: 'amount', op: 'gte', value: 10 };

const OPEN = { attribute: 'open', op: 'eq', value: true };

/** Lists in the order of the key and in others, of all rows that are shown or of some. */
const ORDERS: readonly Pick<List, 'sort' | 'filter'>[] = [
  {},
  { sort: [{ attribute: 'amount' }] },
  { filter: RICH, sort: [{ attribute: 'amount', direction: 'desc' }] },
];

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

  /** How others write to a table. */
  const courseOf = (model: string) => ({
    url: followed().server.url,
    transactionOf: (turn: number) =>
      TRANSACTIONS[turn % TRANSACTIONS.length]?.(model, random.integer(0, 40_000)) ?? '',
  });

  it.each(eachNth(2, ['orders', 'parts', 'claimed', 'everybody']))(
    'has the exact total of what the caller is shown while others write to %s',
    async (model) => {
      const callers = await start();
      const lists = Array.from({ length: TENANTS }, (_, tenant) => {
        const grant = callerOf(tenant);
        return [
          { model, grant },
          { model, grant, filter: OPEN },
        ];
      }).flat();
      for (const list of lists) await callers.follow(list);
      const mistakes = await readWhileWritten(callers.reading, {
        ...courseOf(model),
        lists,
        offsetOf: (turn) => (turn % 3 === 0 ? 0 : random.integer(200, 700)),
        mechanism: 'followed_total',
      });
      expect(mistakes).toEqual([]);
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
      const mechanism = 'followed_index';
      for (const list of lists)
        await follow(reading, { ...list, offset: 300, size: 10 }, mechanism);
      const course = { ...courseOf(model), lists, offsetOf: () => random.integer(0, 1000) };
      expect(await readWhileWritten(reading, { ...course, mechanism })).toEqual([]);
    },
  );
});
