import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KeyOrder, type OrderedColumn } from './key-order.ts';

function orderOf(databaseType: string): KeyOrder | undefined {
  return KeyOrder.of([{ databaseType, direction: 'asc' }]);
}

/** -1, 0 or 1, as one value of a column comes before another one, with it or behind it. */
function signIn(
  { direction, nulls }: Omit<OrderedColumn, 'databaseType'>,
  one: number | null = null,
  other: number | null = null,
): number {
  if (one === other) return 0;
  if (one === null) return nulls === 'first' ? -1 : 1;
  if (other === null) return nulls === 'first' ? 1 : -1;
  return one < other === (direction === 'asc') ? -1 : 1;
}

describe('the order of keys', () => {
  it.each([
    ['integer', ['1.5', '', 'NaN', ' 1', '1e3', '0x1']],
    ['bigint', ['Infinity', '+1', '1n']],
    ['boolean', ['yes', '1', 'T', 'toString']],
    ['uuid', ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{a0eebc99}', '']],
    ['bytea', ['', 'abc', String.raw`\x0`, String.raw`\xAB`, String.raw`\\x00`]],
    ['date', ['Infinity', '+infinity', '0044-03-15 BC', '12024-01-01', '01/02/2024']],
    ['timestamp without time zone', ['inf', '0044-03-15 00:00:00 BC', '2024-01-01T00:00:00']],
    [
      'timestamp(3) with time zone',
      ['2024-01-01 00:00:00', '2024-01-01 00:00:00+02', 'infinity+00'],
    ],
    ['timestamp(0) with time zone', ['2024-01-01 00:00:00+05:30', '20240-01-01 00:00:00+00']],
  ])('of %s refuses values of other forms', (databaseType, texts) => {
    const order = orderOf(databaseType);
    expect(texts.map((text) => order?.read([text]))).toEqual(texts.map(() => undefined));
  });

  it('is not known of types that Node may sort in another way', () => {
    const types = [
      'text',
      'character varying(9)',
      'numeric',
      'character(3)',
      'jsonb',
      'mood',
      'oid',
    ];
    expect(types.filter((type) => orderOf(type) !== undefined)).toEqual([]);
    const mixed = ['integer', 'numeric'].map((databaseType) => ({
      databaseType,
      direction: 'asc' as const,
    }));
    expect(KeyOrder.of(mixed)).toBeUndefined();
  });

  it('refuses keys that lack a value', () => {
    expect(orderOf('integer')?.read([null])).toBeUndefined();
    expect(orderOf('integer')?.read([])).toBeUndefined();
    expect(orderOf('integer')?.read([7])).toBeUndefined();
  });

  it('is that of the first column in which two rows differ, with NULL where it belongs', () => {
    const column = fc.record({
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
    });
    const value = fc.option(fc.integer({ min: -2, max: 2 }));
    const row = fc.tuple(value, value, value);
    fc.assert(
      fc.property(fc.tuple(column, column, column), row, row, (columns, one, other) => {
        const order = KeyOrder.of(columns.map((each) => ({ ...each, databaseType: 'integer' })));
        const keyOf = (values: readonly (number | null)[]) =>
          order?.read(values.map((each) => (each === null ? null : String(each))));
        const [first, second] = [keyOf(one), keyOf(other)];
        fc.pre(order !== undefined && first !== undefined && second !== undefined);
        expect(Math.sign(order.compare(first, second))).toBe(
          columns.reduce((sign, each, at) => sign || signIn(each, one[at], other[at]), 0),
        );
        for (let length = 0; length < first.length; length++)
          expect(order.compare(first.slice(0, length), first)).toBeLessThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('takes a truth value as the change log prints it and as a cast does', () => {
    const keys = ['f', 'false', 't', 'true'].map((text) => orderOf('boolean')?.read([text]));
    expect(keys).toEqual([[0], [0], [1], [1]]);
  });

  it('takes NULL where a column may have it, in a part of the list of its own', () => {
    const column = { databaseType: 'integer', direction: 'desc' } as const;
    const last = KeyOrder.of([{ ...column, nulls: 'last' }, column]);
    const first = KeyOrder.of([{ ...column, nulls: 'first' }, column]);
    const keys = [last, first].map((order) => [order?.read([null, '5']), order?.read(['7', '5'])]);
    expect(keys).toEqual([
      [
        [1, 0, 5],
        [0, 7, 5],
      ],
      [
        [0, 0, 5],
        [1, 7, 5],
      ],
    ]);
    expect([last?.parts, first?.parts, orderOf('integer')?.parts]).toEqual([
      ['not_null', 'null'],
      ['null', 'not_null'],
      [],
    ]);
    expect(last?.compare(last.startOf('null'), [1, 0, 5])).toBeLessThan(0);
    expect(last?.compare(last.startOf('null'), [0, 7, 5])).toBeGreaterThan(0);
    expect([last?.partOf([1, 0, 5]), first?.partOf([1, 7, 5])]).toEqual(['null', 'not_null']);
    expect(last?.read(['7', null])).toBeUndefined();
  });
});
