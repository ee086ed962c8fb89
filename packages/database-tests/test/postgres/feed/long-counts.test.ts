import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Attribute } from '../../../../engine/src/catalogue/model.ts';
import type { Condition } from '../../../../engine/src/planning/condition.ts';
import type { MomentWork } from '../../../../engine/src/sources/source.ts';
import { callOf } from '../../../../engine/test/call.ts';
import { FilteredTotals } from '../../../../postgres/src/feed/lists/filtered-totals.ts';
import { followedVersion, until, useFollowed } from './followed.ts';

const SQL = `
  create table orders (id int primary key, amount int not null);
  insert into orders select n, n % 10 from generate_series(1, 20000) n;
  create publication dynamic_query for table orders`;

const RELATION = ['public', 'orders'];

function below(amount: number): Condition {
  const attribute = { name: 'amount', column: 'amount', type: 'int32', databaseType: 'integer' };
  return { attribute: attribute as Attribute, op: 'lt', values: [amount] };
}

/** Does something after the next count, before its total is taken. */
function afterCount(work: () => Promise<unknown>): void {
  const counting = Reflect.get(FilteredTotals.prototype, 'count');
  const spy = vi.spyOn(FilteredTotals.prototype, 'count');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementationOnce(function slowly(this: FilteredTotals, filters, found, terms) {
    const count: typeof terms.count = async () => {
      const counted = await terms.count();
      await work();
      return counted;
    };
    return counting.call(this, filters, found, { ...terms, count });
  });
}

describe('the total of a list', () => {
  const followed = useFollowed(SQL);

  async function inMoment<Value>(
    work: (...given: Parameters<MomentWork<never>>) => Promise<Value>,
  ): Promise<Value> {
    const { source } = followed();
    return until(async () => {
      const read = await source.changes?.followed?.during(
        RELATION,
        async (snapshot, moment) => ({
          found: await work(snapshot, moment),
          version: moment.version,
        }),
        callOf({}),
      );
      expect(read).toBeDefined();
      return (read as { readonly found: Value }).found;
    });
  }

  const outcomeOf = (list: Condition, leastMs = 0) =>
    inMoment((_, moment) => moment.countLists([list], { leastMs }));

  const totalOf = (list: Condition): Promise<bigint> =>
    until(async () => {
      const total = await inMoment((_, moment) => moment.total(list));
      expect(total).toBeDefined();
      return total ?? -1n;
    });

  it('is known after a count during which more rows changed than can be compared', async () => {
    const { source, sql } = followed();
    const list = below(5);
    await followedVersion(source, RELATION);
    const statesOf = async () => (await source.changes?.followed?.states(RELATION, [list]))?.lists;
    afterCount(async () => {
      for (const from of [0, 4000, 8000]) {
        await sql.query(
          `update orders set amount = amount + 5 where id > ${from} and id <= ${from + 4000}`,
        );
        // Moves all totals to a new base, also those that are being counted.
        expect(await until(statesOf)).toEqual([undefined]);
      }
    });
    expect(await outcomeOf(list)).toEqual(['known']);
    expect(await totalOf(list)).toBe(4000n);
    await sql.query('delete from orders where id > 12000 and id <= 12010');
    expect(await totalOf(list)).toBe(3995n);
  });

  it('is not known where its count is not to be kept', async () => {
    const { source } = followed();
    expect(await outcomeOf(below(7), Infinity)).toEqual(['refused']);
    expect(source.changes?.followed?.knowsTotal(RELATION, below(7))).toBe(false);
  });

  it('is not known where a change during the count has more rows than are listed', async () => {
    const { source, sql } = followed();
    const list = below(3);
    afterCount(async () => {
      await sql.query('update orders set amount = 0 where id > 5000');
      expect(await source.changes?.followed?.states(RELATION, [list])).toBeUndefined();
    });
    expect(await outcomeOf(list)).toEqual(['late']);
    expect(source.changes?.followed?.knowsTotal(RELATION, list)).toBe(false);
  });
});
