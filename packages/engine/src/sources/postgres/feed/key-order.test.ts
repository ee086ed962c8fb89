import { describe, expect, it } from 'vitest';

import { KeyOrder } from './key-order.ts';

function orderOf(databaseType: string, isBytewise = false): KeyOrder | undefined {
  return KeyOrder.of([{ databaseType, direction: 'asc', isBytewise }]);
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
    const bytewise = types.filter((type) => orderOf(type, true) !== undefined);
    expect(bytewise).toEqual(['text', 'character varying(9)']);
    const mixed = ['integer', 'numeric'].map((databaseType) => ({
      databaseType,
      direction: 'asc' as const,
    }));
    expect(KeyOrder.of(mixed)).toBeUndefined();
  });

  it('refuses keys that lack a value', () => {
    expect(orderOf('integer')?.read([null])).toBeUndefined();
    expect(orderOf('integer')?.read([])).toBeUndefined();
  });

  it('takes a truth value as the change log prints it and as a cast does', () => {
    const keys = ['f', 'false', 't', 'true'].map((text) => orderOf('boolean')?.read([text]));
    expect(keys).toEqual([[0], [0], [1], [1]]);
  });
});
