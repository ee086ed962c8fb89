import { describe, expect, it } from 'vitest';

import {
  below,
  COLUMNS,
  fullRelation,
  orderBy,
  relationOf,
} from '../../../../../test/feed/listed-relation.ts';
import type { OrderTerm } from '../../../../catalogue/model.ts';
import type { Condition } from '../../../../planning/condition.ts';
import type { FollowedOrder } from '../../../followed.ts';
import { OrderedLists } from './ordered-lists.ts';

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
    { columns: ['low'], follows: false },
    { columns: ['low', 'note'], follows: false },
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
      const [plain, key] = [orderBy(['low']).terms, ['low', 'id']];
      const later = { ...order, terms: [...plain, ...order.terms] };
      expect(new OrderedLists().begin(relationOf('a', key), later, 1000n)).toBe(false);
    },
  );

  it('are none of columns whose values Node may sort in another way', () => {
    const { terms, ...order } = orderBy(['id']);
    const texts = terms.map(({ term, field }) => ({
      term,
      field: { ...field, databaseType: 'text' },
    }));
    const follows = new OrderedLists().begin(relationOf('a'), { ...order, terms: texts }, 1000n);
    expect(follows).toBe(false);
  });

  it('are none of a relation without a key in the log', () => {
    for (const columns of [['id'], []])
      expect(new OrderedLists().begin(relationOf('a', []), orderBy(columns), 9n)).toBe(false);
  });
});

/** An order of the rows that are below a limit. */
const orderOf = (limit: number): FollowedOrder => ({
  ...orderBy(['low', 'id']),
  condition: below(BigInt(limit)),
});

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
    const [low, id] = COLUMNS;
    for (const others of [
      [{ ...low, type: 'integer' }, id],
      [id, { ...low, name: 'other' }],
    ]) {
      const relation = relationOf('a', ['id'], { columns: others as typeof COLUMNS, isFull: true });
      expect(lists.begin(relation, orderBy(['low', 'id']), 1000n)).toBe(false);
    }
    const condition: Condition = { ...below(7n), op: 'contains' };
    expect(lists.begin(fullRelation(), { ...orderBy(['id']), condition }, 1000n)).toBe(false);
  });

  it('have the rows of their filter, with the columns of the order as keys', () => {
    const [lists, relation] = [new OrderedLists(), fullRelation()];
    lists.begin(relation, { ...orderBy(['-low', 'id']), condition: below(7n) }, 1000n);
    const [{ rows } = { rows: undefined }] = relation.log.lists;
    expect([rows?.key, rows?.condition?.columns]).toEqual([['low', 'id'], ['low']]);
  });

  it('are eight of each relation, whatever others have', () => {
    const lists = new OrderedLists();
    const relations = ['a', 'b'].map((token) => ({ ...fullRelation(), token }));
    for (const relation of relations)
      for (let limit = 0; limit < 8; limit++) lists.begin(relation, orderOf(limit), 1000n);
    expect(relations.map(({ log }) => log.lists.length)).toEqual([8, 8]);
  });

  it('take no changes any longer when another list begins after they were broken', () => {
    const [lists, relation] = [new OrderedLists(), fullRelation()];
    lists.begin(relation, orderOf(1), 1000n);
    relation.log.lists[0]?.forget();
    lists.begin(relationOf('b'), orderBy(['id']), 1000n);
    expect(relation.log.lists).toEqual([]);
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
    expect(lists.get(relationOf('ai'), { ...order, key: 'd' })).toBeUndefined();
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
    const totals = relations.map((relation, index) => {
      lists.begin(relation, order, 10_000_000n);
      const kept = lists.get(relation, order);
      const rows = Array.from({ length: 25_000 }, (_, place) => ({
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
      return () => kept?.list.total([]);
    });
    const found = relations.map((relation) => lists.get(relation, order) !== undefined);
    expect(found).toEqual([true, false, true, true, true]);
    expect(lists.bytes).toBe(4 * 25_000 * 200);
    // The one that has gone takes no changes any longer.
    for (const { log } of relations)
      log.append({ xid: 1n, rows: [{ came: ['7'] }], truncated: false });
    const rows = 24_999n * 400n + 1n;
    expect(totals.map((total) => total())).toEqual([1n, 0n, 1n, 1n, 1n].map((more) => rows + more));
  });
});
