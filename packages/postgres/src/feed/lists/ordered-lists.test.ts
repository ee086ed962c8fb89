import type { FollowedOrder, OrderTerm } from '@proj/engine/following';
import { describe, expect, it } from 'vitest';

import { below, COLUMNS, orderBy, relationOf } from '../../../test/feed/listed-relation.ts';
import { SHOWN } from '../../../test/feed/listed-server.ts';
import { postgresDialect } from '../../dialect.ts';
import {
  type FollowedList,
  listedOrder,
  type ListedRelation,
  OrderedLists,
} from './ordered-lists.ts';
import { ALL_ROWS, type RowFilter, RowFilters } from './touched-rows.ts';

/** Begins a list. Returns whether it can be followed. */
function beginIn(
  lists: OrderedLists,
  relation: ListedRelation,
  order: FollowedOrder,
  { filter, total }: { readonly filter: RowFilter; readonly total: bigint },
): boolean {
  const listed = listedOrder(relation, order, filter);
  if (listed !== undefined) lists.begin(order, { ...listed, relation }, { filter, total });
  return listed !== undefined;
}

/** An order by columns of another type. */
function typed({ terms, ...order }: FollowedOrder, databaseType: string): FollowedOrder {
  return {
    ...order,
    terms: terms.map(({ term, field }) => ({ term, field: { ...field, databaseType } })),
  };
}

/** A relation whose rows the database does not find by their keys. */
const logged = (token: string, key?: readonly string[]): ListedRelation =>
  relationOf(token, key, { isSeekable: false });

it('rows that a caller is shown are asked for, unless keys could be seen before a policy decides', () => {
  const policed = { ...SHOWN, definition: {} } as unknown as typeof SHOWN;
  const [low, ...key] = relationOf('a', ['low', 'id']).key;
  const leaky = [...key, ...(low ? [{ ...low, isLeakproof: false }] : [])];
  const facts: Partial<ListedRelation>[] = [
    {},
    { shown: SHOWN },
    { shown: SHOWN, key: leaky },
    { shown: policed },
    { shown: policed, key: leaky },
  ];
  const order = orderBy(['id', 'low']);
  const filters = facts.map(
    (one) => listedOrder(relationOf('a', ['id', 'low'], one), order, ALL_ROWS)?.filter,
  );
  expect(filters).toEqual([undefined, ALL_ROWS, ALL_ROWS, ALL_ROWS, undefined]);
});

describe('the orders of a relation that its log says', () => {
  it.each([
    { columns: ['id'], follows: true },
    { columns: ['-id'], follows: true },
    { columns: ['-id', 'id'], follows: true },
    { columns: ['low'], follows: false },
    { columns: ['id', 'low'], follows: false },
    { columns: [], follows: false },
  ])('by $columns: $follows, where the key is a column', ({ columns, follows }) => {
    expect(
      beginIn(new OrderedLists(), logged('a'), orderBy(columns), {
        filter: ALL_ROWS,
        total: 1000n,
      }),
    ).toBe(follows);
  });

  it.each([
    { type: 'integer', databaseType: 'integer', follows: true },
    { type: 'text', databaseType: 'integer', follows: false },
    {
      type: 'timestamp with time zone',
      databaseType: 'timestamp(3) with time zone',
      follows: true,
    },
    {
      type: 'timestamp without time zone',
      databaseType: 'timestamp(3) with time zone',
      follows: false,
    },
  ])(
    'by a key of $type, which the schema as last read says is $databaseType: $follows',
    ({ type, databaseType, follows }) => {
      const relation = logged('a');
      const key = relation.key.map((column) => ({ ...column, type }));
      const order = typed(orderBy(['id']), databaseType);
      expect(
        beginIn(new OrderedLists(), { ...relation, key }, order, {
          filter: ALL_ROWS,
          total: 1000n,
        }),
      ).toBe(follows);
    },
  );

  it.each([
    { columns: ['low', 'id'], follows: true },
    { columns: ['-low', 'id'], follows: true },
    { columns: ['low', '-low', 'id', 'low'], follows: true },
    { columns: ['low'], follows: false },
    { columns: ['low', 'note'], follows: false },
    { columns: ['id', 'low'], follows: false },
    { columns: ['id'], follows: false },
  ])('by $columns: $follows, where the key is two', ({ columns, follows }) => {
    const relation = logged('a', ['low', 'id']);
    expect(
      beginIn(new OrderedLists(), relation, orderBy(columns), { filter: ALL_ROWS, total: 1000n }),
    ).toBe(follows);
  });

  it.each([{ collation: '"C"' }, { field: orderBy(['id']).terms[0]?.field }])(
    'are none of columns that are not sorted as they are: %o',
    (facts) => {
      const order = orderBy(['id'], facts as Partial<OrderTerm>);
      expect(
        beginIn(new OrderedLists(), logged('a'), order, { filter: ALL_ROWS, total: 1000n }),
      ).toBe(false);
      const [plain, key] = [orderBy(['low']).terms, ['low', 'id']];
      const later = { ...order, terms: [...plain, ...order.terms] };
      expect(
        beginIn(new OrderedLists(), logged('a', key), later, {
          filter: ALL_ROWS,
          total: 1000n,
        }),
      ).toBe(false);
    },
  );

  it('are none of columns whose values Node may sort in another way', () => {
    const follows = beginIn(new OrderedLists(), logged('a'), typed(orderBy(['id']), 'text'), {
      filter: ALL_ROWS,
      total: 1000n,
    });
    expect(follows).toBe(false);
  });

  it('are none of a relation without a key in the log', () => {
    for (const columns of [['id'], []])
      expect(
        beginIn(new OrderedLists(), logged('a', []), orderBy(columns), {
          filter: ALL_ROWS,
          total: 9n,
        }),
      ).toBe(false);
  });
});

/** An order of the rows that are below a limit. */
const orderOf = (limit: number): FollowedOrder => ({
  ...orderBy(['low', 'id']),
  condition: below(BigInt(limit)),
});

const FILTERS = new RowFilters(postgresDialect);

/** Lists to which all have a total that is large enough. */
function listsOf(lists = new OrderedLists()) {
  const begin = (relation: ListedRelation, order: FollowedOrder): boolean =>
    beginIn(lists, relation, order, { filter: FILTERS.of(order.condition), total: 1000n });
  const get = (relation: ListedRelation, order: FollowedOrder): FollowedList | undefined =>
    lists.get(relation, order, FILTERS.of(order.condition));
  return { lists, begin, get };
}

describe('other orders of a relation, and those of filtered lists', () => {
  it('are followed where the database finds rows by their keys', () => {
    const { begin } = listsOf();
    const order = orderBy(['-low', 'id'], { nullable: true, nulls: 'first' });
    expect(begin(relationOf('a'), order)).toBe(true);
    expect(begin(relationOf('a'), { ...order, condition: below(7n) })).toBe(true);
    expect(begin(relationOf('a'), { ...orderBy(['id']), condition: below(7n) })).toBe(true);
    expect(begin(relationOf('a', ['id'], { isSeekable: false }), order)).toBe(false);
    expect(begin(relationOf('a', []), order)).toBe(false);
  });

  it.each([
    { type: 'text', follows: true },
    { type: 'character varying(20)', follows: true },
    { type: 'character(8)', follows: true },
    { type: 'numeric(20,10)', follows: true },
    { type: 'text collate public.any_case', follows: false },
    { type: 'public.citext', follows: false },
    { type: 'text[]', follows: false },
    { type: 'interval', follows: false },
  ])('by a column of the type $type: $follows', ({ type, follows }) => {
    const { lists, begin, get } = listsOf();
    const columns = COLUMNS.map((column) => ({ ...column, type }));
    const relation = relationOf('a', ['id'], { columns });
    const order = typed(orderBy(['id']), type);
    expect(begin(relation, order)).toBe(follows);
    expect(get(relation, order)?.placing !== undefined).toBe(follows);
    // What changed rows had before is asked for, since nobody can place it in the log.
    expect(lists.asked('a')).toHaveLength(follows ? 1 : 0);
  });

  it('are not followed where a column has another type by now', () => {
    const { begin } = listsOf();
    const [low, id] = COLUMNS;
    if (low === undefined || id === undefined) throw new Error('There are two columns.');
    for (const columns of [
      [{ ...low, type: 'integer' }, id],
      [id, { ...low, name: 'other' }],
    ])
      expect(begin(relationOf('a', ['id'], { columns }), orderBy(['low', 'id']))).toBe(false);
  });

  it('are not followed where what a filter says of a row may change unnoticed', () => {
    const { begin } = listsOf();
    const columns = COLUMNS.map((column) => ({ ...column, isStable: column.name === 'id' }));
    const relation = relationOf('a', ['id'], { columns });
    expect(begin(relation, orderBy(['low', 'id']))).toBe(true);
    expect(begin(relation, orderOf(7))).toBe(false);
  });

  it('are known apart from those whose changes are in the log', () => {
    const { begin, get, lists } = listsOf();
    const relation = relationOf('a');
    for (const order of [orderBy(['id']), orderBy(['low', 'id']), orderOf(7)])
      begin(relation, order);
    expect(get(relation, orderBy(['id']))?.filter).toBeUndefined();
    expect(lists.asked('a').map(({ columns }) => columns)).toEqual([
      ['low', 'id'],
      ['low', 'id'],
    ]);
    lists.forgetAsked('a');
    expect(lists.asked('a')).toEqual([]);
    expect(get(relation, orderBy(['id']))).toBeDefined();
  });

  it('are sixteen of each relation at most, whatever others have: the last used', () => {
    const { begin, get, lists } = listsOf();
    const [one, other] = [relationOf('a'), relationOf('b')];
    begin(one, orderBy(['id']));
    for (const relation of [one, other])
      for (let limit = 0; limit < 16; limit++) begin(relation, orderOf(limit));
    get(one, orderOf(0));
    begin(one, orderOf(16));
    begin(one, orderBy(['id']));
    expect(['a', 'b'].map((token) => lists.asked(token).length)).toEqual([16, 16]);
    const found = [0, 1, 2, 16].map((limit) => get(one, orderOf(limit)) !== undefined);
    expect(found).toEqual([true, false, true, true]);
    expect(get(one, orderBy(['id']))).toBeDefined();
  });

  it('take no changes of the log', () => {
    const { begin, get } = listsOf();
    const relation = relationOf('a');
    begin(relation, orderOf(1));
    relation.log.forget();
    expect(get(relation, orderOf(1))?.list.isBroken).toBe(false);
  });

  it('are those of equal filters', () => {
    const { begin, get } = listsOf();
    const relation = relationOf('a');
    begin(relation, orderOf(7));
    const found = [orderOf(7), orderOf(8), orderBy(['low', 'id'])].map((one) => get(relation, one));
    expect(found).toEqual([expect.anything(), undefined, undefined]);
  });
});

describe('followed lists', () => {
  it('are found by their relation and order, until they cannot follow it', () => {
    const [lists, relation] = [new OrderedLists(), relationOf('a')];
    const order = orderBy(['id']);
    expect(lists.get(relation, order, ALL_ROWS)).toBeUndefined();
    beginIn(lists, relation, order, { filter: ALL_ROWS, total: 1000n });
    expect(lists.get(relation, order, ALL_ROWS)?.step).toBe(100);
    expect(lists.get(relationOf('b'), order, ALL_ROWS)).toBeUndefined();
    expect(lists.get(relationOf('ai'), { ...order, key: 'd' }, ALL_ROWS)).toBeUndefined();
    expect(lists.get(relation, orderBy(['-id']), ALL_ROWS)).toBeUndefined();
    relation.log.forget();
    expect(lists.get(relation, order, ALL_ROWS)).toBeUndefined();
  });

  it('have longer steps where they are longer', () => {
    const [lists, relation] = [new OrderedLists(), relationOf('a')];
    beginIn(lists, relation, orderBy(['id']), { filter: ALL_ROWS, total: 10_000_000n });
    expect(lists.get(relation, orderBy(['id']), ALL_ROWS)?.step).toBe(400);
  });

  it('go where they are too many: the one that was not used for longest', () => {
    const lists = new OrderedLists();
    const order = orderBy(['id']);
    const relations = ['a', 'b', 'c', 'd', 'e'].map((token) => relationOf(token));
    const totals = relations.map((relation, index) => {
      beginIn(lists, relation, order, { filter: ALL_ROWS, total: 10_000_000n });
      const kept = lists.get(relation, order, ALL_ROWS);
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
      if (index === 2) lists.get(relations[0] ?? relation, order, ALL_ROWS);
      return () => kept?.list.total([]);
    });
    const found = relations.map((relation) => lists.get(relation, order, ALL_ROWS) !== undefined);
    expect(found).toEqual([true, false, true, true, true]);
    expect(lists.bytes).toBe(4 * 25_000 * 200);
    // The one that has gone takes no changes any longer.
    for (const { log } of relations)
      log.append({ xid: 1n, rows: [{ came: ['7'] }], truncated: false });
    const rows = 24_999n * 400n + 1n;
    expect(totals.map((total) => total())).toEqual([1n, 0n, 1n, 1n, 1n].map((more) => rows + more));
  });
});
