import { describe, expect, it } from 'vitest';

import {
  below,
  momentOf,
  orderBy,
  relationOf,
  SNAPSHOT,
} from '../../../test/feed/listed-relation.ts';

describe('what is known of a relation in a snapshot', () => {
  it('has a total from a count on, and counts no more then', async () => {
    const asked: unknown[] = [];
    const relation = relationOf('a');
    expect(await momentOf(relation).countLists([undefined], { leastMs: 0 })).toEqual(['late']);
    const moment = momentOf(relation, undefined, async (statement) => {
      asked.push(statement);
      return ['7'];
    });
    expect(await moment.total()).toBeUndefined();
    expect(await moment.beginIndex(orderBy(['id']))).toBe(false);
    for (let time = 0; time < 2; time++)
      expect(await moment.countLists([undefined], { leastMs: 1000 })).toEqual(['known']);
    expect([await moment.total(), moment.version]).toEqual([7n, '1']);
    const sql = 'select count(*)::text from "public"."rows"';
    expect(asked).toEqual([{ sql, parameters: [], relations: [relation.path] }]);
  });

  it('has an index, whose keys have a value for each term of the order', async () => {
    const relation = relationOf('a', ['low', 'id']);
    const moment = momentOf(relation);
    const order = orderBy(['-low', 'id', 'low']);
    relation.log.learnTotal(SNAPSHOT, 150n);
    expect(await moment.index(order)).toBeUndefined();
    expect(await moment.beginIndex(orderBy(['id'], { collation: 'C' }))).toBe(false);
    expect(await moment.beginIndex(order)).toBe(true);
    const index = await moment.index(order);
    expect(await index?.learn({ rows: [] })).toBe(false);
    expect([index?.isComplete, index?.wants()]).toEqual([
      false,
      { from: undefined, part: undefined, rows: 100_001, step: 100 },
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
    relation.log.learnTotal(SNAPSHOT, 151n);
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
    expect([index?.isBroken, index?.locate({ size: 1, offset: 3n })]).toEqual([false, undefined]);
    expect(index?.isBroken).toBe(true);
    expect(await moment.index(orderBy(['id']))).toBeUndefined();
  });

  it('knows nothing of filtered lists, and of other orders, without asking the database', async () => {
    const relation = relationOf('a');
    const moment = momentOf(relation, undefined, () => expect.unreachable('It asks.'));
    relation.log.learnTotal(SNAPSHOT, 9n);
    expect(await moment.total(below(7n))).toBeUndefined();
    expect(await moment.countLists([below(7n)], { leastMs: 0 })).toEqual(['refused']);
    for (const order of [orderBy(['low', 'id']), { ...orderBy(['id']), condition: below(7n) }]) {
      expect(await moment.beginIndex(order)).toBe(false);
      expect((await moment.index(order))?.isComplete ?? false).toBe(false);
    }
  });

  it('does not count where the relation was emptied behind its back', async () => {
    const relation = relationOf('a');
    const moment = momentOf(relation, undefined, () => expect.unreachable('It counts.'));
    relation.log.append({ xid: 12n, rows: [], truncated: true });
    expect(await moment.countLists([undefined], { leastMs: 0 })).toEqual(['late']);
    expect(await moment.total()).toBeUndefined();
  });
});
