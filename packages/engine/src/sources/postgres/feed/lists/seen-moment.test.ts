import { describe, expect, it } from 'vitest';

import {
  below,
  fullRelation,
  momentOf,
  orderBy,
  relationOf,
} from '../../../../../test/feed/listed-relation.ts';

describe('what is known of a relation in a snapshot', () => {
  it('has a total from a count on, and wants none then', async () => {
    const moment = momentOf(relationOf('a'));
    expect([await moment.total(), moment.wantsTotal()]).toEqual([undefined, true]);
    expect(await moment.beginIndex(orderBy(['id']))).toBe(false);
    expect(await moment.learnTotal(7n)).toBe(true);
    expect([await moment.total(), moment.wantsTotal(), moment.version]).toEqual([7n, false, '1']);
  });

  it('has an index, whose keys have a value for each term of the order', async () => {
    const relation = relationOf('a', ['low', 'id']);
    const moment = momentOf(relation);
    const order = orderBy(['-low', 'id', 'low']);
    await moment.learnTotal(150n);
    expect(await moment.index(order)).toBeUndefined();
    expect(await moment.beginIndex(order)).toBe(true);
    const index = await moment.index(order);
    expect([index?.isComplete, index?.wants()]).toEqual([
      false,
      { from: undefined, part: undefined, rows: 10_001, step: 100 },
    ]);
    index?.learn({
      rows: [
        ['9', '1', '9', 0],
        ['5', '2', '5', 100],
        ['4', '3', '4', 149],
      ],
    });
    expect([index?.isComplete, index?.wants(), index?.locate({ size: 1, offset: 149n })]).toEqual([
      true,
      undefined,
      { from: ['5', '2', '5'], skip: 49, reachesNulls: false },
    ]);
    expect(index?.locate({ size: 1, offset: 150n })).toBeUndefined();
  });

  it('has no index any longer whose rows are not as many as the total says', async () => {
    const relation = relationOf('a');
    const moment = momentOf(relation);
    await moment.learnTotal(151n);
    await moment.beginIndex(orderBy(['id']));
    const index = await moment.index(orderBy(['id']));
    index?.wants();
    index?.learn({
      rows: [
        ['9', 0],
        ['11', 100],
        ['12', 149],
      ],
    });
    expect(index?.locate({ size: 1, offset: 3n })).toBeUndefined();
    expect(await moment.index(orderBy(['id']))).toBeUndefined();
  });

  it('has the total of a filtered list from the count on that follows its beginning', async () => {
    const moment = momentOf(fullRelation());
    const total = () => moment.total(below(7n));
    expect(await total()).toBeUndefined();
    expect(await moment.learnTotal(3n, below(7n))).toBe(false);
    expect(await moment.beginTotal(below(7n))).toBe(true);
    expect(await total()).toBeUndefined();
    expect(await moment.learnTotal(3n, below(7n))).toBe(true);
    expect(await total()).toBe(3n);
    expect([await moment.total(), await moment.total(below(8n)), moment.wantsTotal()]).toEqual([
      undefined,
      undefined,
      true,
    ]);
    expect(await momentOf(relationOf('a')).beginTotal(below(7n))).toBe(false);
  });

  it('wants no total where the relation was emptied behind its back', async () => {
    const relation = fullRelation();
    const moment = momentOf(relation);
    relation.log.append({ xid: 12n, rows: [], truncated: true });
    expect([moment.wantsTotal(), await moment.learnTotal(7n)]).toEqual([false, false]);
  });

  it('has an index of a filtered list once its total is known, and checks it by that', async () => {
    const moment = momentOf(fullRelation());
    const order = { ...orderBy(['id']), condition: below(7n) };
    await moment.learnTotal(9n);
    expect([await moment.beginIndex(order), await moment.index(order)]).toEqual([false, undefined]);
    await moment.beginTotal(below(7n));
    await moment.learnTotal(2n, below(7n));
    expect(await moment.beginIndex(order)).toBe(true);
    const index = await moment.index(order);
    index?.wants();
    index?.learn({
      rows: [
        ['5', 0],
        ['6', 1],
      ],
    });
    expect(index?.locate({ size: 1, offset: 1n })).toMatchObject({ skip: 1 });
    expect(await moment.index(orderBy(['id']))).toBeUndefined();
  });
});
