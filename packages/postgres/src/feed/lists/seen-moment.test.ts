import { describe, expect, it } from 'vitest';

import { below, momentOf, orderBy, relationOf } from '../../../test/feed/listed-relation.ts';

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
    await index?.learn({
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
    await index?.learn({
      rows: [
        ['9', 0],
        ['11', 100],
        ['12', 149],
      ],
    });
    expect(index?.locate({ size: 1, offset: 3n })).toBeUndefined();
    expect(await moment.index(orderBy(['id']))).toBeUndefined();
  });

  it('knows nothing of filtered lists, and of other orders, without asking the database', async () => {
    const moment = momentOf(relationOf('a'));
    await moment.learnTotal(9n);
    expect(await moment.total(below(7n))).toBeUndefined();
    expect(await moment.countLists([below(7n)], 1)).toEqual([undefined]);
    expect(await moment.learnLists([{ condition: below(7n), total: 3n }])).toBe(false);
    for (const order of [orderBy(['low', 'id']), { ...orderBy(['id']), condition: below(7n) }]) {
      expect(await moment.beginIndex(order)).toBe(false);
      expect((await moment.index(order))?.isComplete ?? false).toBe(false);
    }
  });

  it('wants no total where the relation was emptied behind its back', async () => {
    const relation = relationOf('a');
    const moment = momentOf(relation);
    relation.log.append({ xid: 12n, rows: [], truncated: true });
    expect([moment.wantsTotal(), await moment.learnTotal(7n)]).toEqual([false, false]);
  });
});
