import { describe, expect, it } from 'vitest';

import type { Attribute, OrderTerm } from '../../../../catalogue/model.ts';
import type { Condition } from '../../../../planning/condition.ts';
import type { FollowedOrder } from '../../../followed.ts';
import type { ListedRelation } from './listed-order.ts';
import { OrderedLists } from './ordered-lists.ts';
import { CountedLists } from './counted-lists.ts';
import { RelationLog } from '../changes/relation-log.ts';
import { SeenMoment } from './seen-moment.ts';
import { TransactionSnapshot } from '../changes/snapshot.ts';

const SNAPSHOT = TransactionSnapshot.parse('12:12:');

function relationOf(
  token: string,
  key: readonly string[] = ['id'],
  facts: Partial<ListedRelation['schema']> = {},
): ListedRelation {
  const schema = { columns: [], isFull: false, isUnicode: true, ...facts };
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

function momentOf(relation: ListedRelation, lists = new OrderedLists()): SeenMoment {
  return new SeenMoment({
    relation,
    snapshot: SNAPSHOT,
    version: '1',
    lists,
    totals: new CountedLists(),
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
    expect(new OrderedLists().begin(relationOf('a'), orderBy(columns), 1000n)).toBe(follows);
  });

  it.each([
    { columns: ['low', 'id'], follows: true },
    { columns: ['-low', 'id'], follows: true },
    { columns: ['low', '-low', 'id', 'low'], follows: true },
    { columns: ['id', 'low'], follows: false },
    { columns: ['id'], follows: false },
  ])('by $columns: $follows, where the key is two', ({ columns, follows }) => {
    const relation = relationOf('a', ['low', 'id']);
    expect(new OrderedLists().begin(relation, orderBy(columns), 1000n)).toBe(follows);
  });

  it.each([{ collation: '"C"' }, { field: orderBy(['id']).terms[0]?.field }])(
    'are none of columns that are not sorted as they are: %o',
    (facts) => {
      const order = orderBy(['id'], facts as Partial<OrderTerm>);
      expect(new OrderedLists().begin(relationOf('a'), order, 1000n)).toBe(false);
    },
  );

  it('are none of a relation without a key in the log', () => {
    expect(new OrderedLists().begin(relationOf('a', []), orderBy(['id']), 9n)).toBe(false);
  });
});

const COLUMNS = ['low', 'id'].map((name) => ({ name, type: 'bigint', isEnum: false }));

function fullRelation(): ListedRelation {
  return relationOf('a', ['id'], { columns: COLUMNS, isFull: true });
}

/** A condition of its own on `low`. */
function below(limit: bigint): Condition {
  const attribute = {
    name: 'low',
    column: 'low',
    type: 'int64',
    databaseType: 'bigint',
  } as Attribute;
  return { attribute, op: 'lt', values: [limit] };
}

describe('other orders of a relation', () => {
  it('are followed where the log has whole rows, and so are those of filtered lists', () => {
    const lists = new OrderedLists();
    const order = orderBy(['-low', 'id'], { nullable: true, nulls: 'first' });
    expect(lists.begin(fullRelation(), order, 1000n)).toBe(true);
    expect(lists.begin(fullRelation(), { ...order, condition: below(7n) }, 1000n)).toBe(true);
    const byKey = { ...orderBy(['id']), condition: below(7n) };
    expect(lists.begin(fullRelation(), byKey, 1000n)).toBe(true);
    expect(lists.begin(relationOf('a', ['id'], { columns: COLUMNS }), byKey, 1000n)).toBe(false);
    expect(lists.begin(relationOf('a', ['id'], { isFull: true }), byKey, 1000n)).toBe(false);
  });

  it('are not followed where a column has another type by now, or the filter is not decided', () => {
    const lists = new OrderedLists();
    const columns = COLUMNS.map((column) => ({ ...column, type: 'integer' }));
    const altered = relationOf('a', ['id'], { columns, isFull: true });
    expect(lists.begin(altered, orderBy(['low', 'id']), 1000n)).toBe(false);
    const condition: Condition = { ...below(7n), op: 'contains' };
    expect(lists.begin(fullRelation(), { ...orderBy(['id']), condition }, 1000n)).toBe(false);
  });

  it('are those of equal filters on the same columns', () => {
    const [lists, relation] = [new OrderedLists(), fullRelation()];
    const order = orderBy(['low', 'id']);
    lists.begin(relation, { ...order, condition: below(7n) }, 1000n);
    const found = [below(7n), below(8n), undefined].map((condition) =>
      lists.get(relation, { ...order, condition }),
    );
    expect(found).toEqual([expect.anything(), undefined, undefined]);
  });

  it('are eight at most, and take no changes any longer once they are gone', () => {
    const [lists, relation] = [new OrderedLists(), fullRelation()];
    const orderOf = (limit: number): FollowedOrder => ({
      ...orderBy(['low', 'id']),
      condition: below(BigInt(limit)),
    });
    lists.begin(relation, orderBy(['id']), 1000n);
    for (let limit = 0; limit < 8; limit++) lists.begin(relation, orderOf(limit), 1000n);
    lists.get(relation, orderOf(0));
    lists.begin(relation, orderOf(8), 1000n);
    expect(relation.log.lists).toHaveLength(8);
    const found = [0, 1, 2, 8].map((limit) => lists.get(relation, orderOf(limit)) !== undefined);
    expect(found).toEqual([true, false, true, true]);
    expect(lists.get(relation, orderBy(['id']))).toBeDefined();
    relation.log.lists[0]?.forget();
    for (let limit = 0; limit < 9; limit++) lists.get(relation, orderOf(limit));
    expect(relation.log.lists).toHaveLength(7);
  });
});

describe('followed lists', () => {
  it('are found by their relation and order, until they cannot follow it', () => {
    const [lists, relation] = [new OrderedLists(), relationOf('a')];
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
    const [lists, relation] = [new OrderedLists(), relationOf('a')];
    lists.begin(relation, orderBy(['id']), 10_000_000n);
    expect(lists.get(relation, orderBy(['id']))?.step).toBe(400);
  });

  it('go where they are too many: the one that was not used for longest', () => {
    const lists = new OrderedLists();
    const order = orderBy(['id']);
    const relations = ['a', 'b', 'c', 'd', 'e'].map((token) => relationOf(token));
    for (const [index, relation] of relations.entries()) {
      lists.begin(relation, order, 10_000_000n);
      const kept = lists.get(relation, order);
      const rows = Array.from({ length: 25_001 }, (_, place) => ({
        texts: [String(place)],
        place: place * 400,
      }));
      kept?.list.learn(
        { from: undefined, part: undefined, rows: 20_000_000, split: undefined },
        rows,
        [],
      );
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
    expect(index?.locate({ size: 1, offset: 3n })).toBeUndefined();
    expect(moment.index(orderBy(['id']))).toBeUndefined();
  });
});
