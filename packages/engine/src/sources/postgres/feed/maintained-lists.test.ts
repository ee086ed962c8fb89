import { describe, expect, it } from 'vitest';

import type { OrderTerm } from '../../../catalogue/model.ts';
import type { FollowedOrder } from '../../followed.ts';
import { type ListedRelation, MaintainedLists } from './maintained-lists.ts';
import { MaintainedTotals } from './maintained-totals.ts';
import { RelationLog } from './relation-log.ts';
import { SeenMoment } from './seen-moment.ts';
import { TransactionSnapshot } from './snapshot.ts';

const SNAPSHOT = TransactionSnapshot.parse('12:12:');

function relationOf(token: string, key: readonly string[] = ['id']): ListedRelation {
  const schema = { columns: [], isFull: false, isUnicode: true };
  return { token, key, log: new RelationLog(1n), schema };
}

/** An order by columns of integers, of which those with a minus go down. */
function orderBy(columns: readonly string[], facts: Partial<OrderTerm> = {}): FollowedOrder {
  const terms = columns.map((name) => {
    const column = name.replace('-', '');
    const direction = name.startsWith('-') ? ('desc' as const) : ('asc' as const);
    const field = { name: column, column, type: 'int64', databaseType: 'bigint' } as const;
    const term = { column, direction, nulls: 'last', nullable: false, ...facts } as const;
    return { term, field: { ...field, items: undefined } };
  });
  return { key: columns.join(), condition: undefined, terms };
}

function momentOf(relation: ListedRelation, lists = new MaintainedLists()): SeenMoment {
  return new SeenMoment({
    relation,
    snapshot: SNAPSHOT,
    version: '1',
    lists,
    totals: new MaintainedTotals(),
  });
}

describe('the orders of a relation that are followed', () => {
  it.each([
    { columns: ['id'], follows: true },
    { columns: ['-id'], follows: true },
    { columns: ['-id', 'id'], follows: true },
    { columns: ['low'], follows: false },
    { columns: ['id', 'low'], follows: false },
    { columns: [], follows: false },
  ])('by $columns: $follows, where the key is a column', ({ columns, follows }) => {
    expect(new MaintainedLists().begin(relationOf('a'), orderBy(columns), 1000n)).toBe(follows);
  });

  it.each([
    { columns: ['low', 'id'], follows: true },
    { columns: ['-low', 'id'], follows: true },
    { columns: ['low', '-low', 'id', 'low'], follows: true },
    { columns: ['id', 'low'], follows: false },
    { columns: ['id'], follows: false },
  ])('by $columns: $follows, where the key is two', ({ columns, follows }) => {
    const relation = relationOf('a', ['low', 'id']);
    expect(new MaintainedLists().begin(relation, orderBy(columns), 1000n)).toBe(follows);
  });

  it.each([{ nullable: true }, { collation: '"C"' }, { field: orderBy(['id']).terms[0]?.field }])(
    'are none of columns that are not sorted as they are: %o',
    (facts) => {
      const order = orderBy(['id'], facts as Partial<OrderTerm>);
      expect(new MaintainedLists().begin(relationOf('a'), order, 1000n)).toBe(false);
    },
  );

  it('are none of a relation without a key in the log', () => {
    expect(new MaintainedLists().begin(relationOf('a', []), orderBy(['id']), 9n)).toBe(false);
  });
});

describe('maintained lists', () => {
  it('are found by their relation and order, until they cannot follow it', () => {
    const [lists, relation] = [new MaintainedLists(), relationOf('a')];
    const order = orderBy(['id']);
    expect(lists.get(relation, order)).toBeUndefined();
    lists.begin(relation, order, 1000n);
    expect(lists.get(relation, order)?.step).toBe(100);
    expect(lists.get(relationOf('b'), order)).toBeUndefined();
    expect(lists.get(relation, orderBy(['-id']))).toBeUndefined();
    relation.log.forget();
    expect(lists.get(relation, order)).toBeUndefined();
  });

  it('have longer steps where they are longer', () => {
    const [lists, relation] = [new MaintainedLists(), relationOf('a')];
    lists.begin(relation, orderBy(['id']), 10_000_000n);
    expect(lists.get(relation, orderBy(['id']))?.step).toBe(400);
  });

  it('go where they are too many: the one that was not used for longest', () => {
    const lists = new MaintainedLists();
    const order = orderBy(['id']);
    const relations = ['a', 'b', 'c', 'd', 'e'].map((token) => relationOf(token));
    for (const [index, relation] of relations.entries()) {
      lists.begin(relation, order, 10_000_000n);
      const kept = lists.get(relation, order);
      const rows = Array.from({ length: 25_001 }, (_, place) => ({
        texts: [String(place)],
        place: place * 400,
      }));
      kept?.list.learn({ from: undefined, rows: 20_000_000, split: undefined }, rows, []);
      // It is used again.
      if (index === 2) lists.get(relations[0] ?? relation, order);
    }
    const found = relations.map((relation) => lists.get(relation, order) !== undefined);
    expect(found).toEqual([true, false, false, true, true]);
    expect(lists.bytes).toBeLessThan(20_100_000);
  });
});

describe('what is known of a relation in a snapshot', () => {
  it('has a total from a count on, and wants none then', () => {
    const moment = momentOf(relationOf('a'));
    expect([moment.total(), moment.wantsTotal()]).toEqual([undefined, true]);
    expect(moment.beginIndex(orderBy(['id']))).toBe(false);
    expect(moment.learnTotal(7n)).toBe(true);
    expect([moment.total(), moment.wantsTotal(), moment.version]).toEqual([7n, false, '1']);
  });

  it('has an index, whose keys have a value for each term of the order', () => {
    const relation = relationOf('a', ['low', 'id']);
    const moment = momentOf(relation);
    const order = orderBy(['-low', 'id', 'low']);
    moment.learnTotal(150n);
    expect(moment.index(order)).toBeUndefined();
    expect(moment.beginIndex(order)).toBe(true);
    const index = moment.index(order);
    expect([index?.isComplete, index?.wants()]).toEqual([
      false,
      { from: undefined, rows: 10_001, step: 100 },
    ]);
    index?.learn({
      rows: [
        ['9', '1', '9', 0],
        ['5', '2', '5', 100],
        ['4', '3', '4', 149],
      ],
    });
    expect([index?.isComplete, index?.wants(), index?.locate(149n)]).toEqual([
      true,
      undefined,
      { from: ['5', '2', '5'], skip: 49 },
    ]);
    expect(index?.locate(150n)).toBeUndefined();
  });

  it('has no index any longer whose rows are not as many as the total says', () => {
    const relation = relationOf('a');
    const moment = momentOf(relation);
    moment.learnTotal(151n);
    moment.beginIndex(orderBy(['id']));
    const index = moment.index(orderBy(['id']));
    index?.wants();
    index?.learn({
      rows: [
        ['9', 0],
        ['11', 100],
        ['12', 149],
      ],
    });
    expect(index?.locate(3n)).toBeUndefined();
    expect(moment.index(orderBy(['id']))).toBeUndefined();
  });
});
