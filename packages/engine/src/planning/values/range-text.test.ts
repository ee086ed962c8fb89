import type { WireType } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import type { Attribute } from '../../catalogue/model.ts';
import type { Extreme } from '../../catalogue/relation.ts';
import { readFilterValue } from './read-filter-value.ts';

const FAR: Extreme = { first: [-4713, 11, 24], last: [5_874_897, 12, 31] };
const TYPES: Readonly<Record<string, WireType>> = {
  int4: 'int32',
  int8: 'int64',
  num: 'decimal',
  date: 'date',
  ts: 'timestamp',
  tstz: 'timestamp_tz',
};

function read(databaseType: string, value: unknown): unknown {
  const attribute: Attribute = {
    name: 'span',
    column: 'span',
    type: 'range',
    items: TYPES[/^(.*?)(multi)?range$/.exec(databaseType)?.[1] ?? ''],
    databaseType,
    extremes: ['infinity', 'not_a_number', FAR],
    storedAs: undefined,
    nullable: true,
    description: null,
    deprecated: null,
  };
  return readFilterValue(value, attribute);
}

describe('a value of a filter of ranges', () => {
  it.each<[string, string]>([
    ['int4range', '[1,5)'],
    ['int4range', '(,)'],
    ['int4range', '[-2147483648,2147483647)'],
    ['int4range', '[5,5)'],
    ['int4range', 'empty'],
    ['int8range', '[9007199254740993,9223372036854775807)'],
    ['numrange', '(1.50,2]'],
    ['numrange', '[-Infinity,NaN]'],
    ['numrange', '[0.1,0.10]'],
    ['daterange', '[2024-02-29,infinity)'],
    ['daterange', '[0044-03-15 BC,2024-01-01)'],
    ['daterange', '[9999-12-31,10000-01-01]'],
    ['tsrange', '["2024-01-01 00:00:00","2024-01-01 00:00:00.5")'],
    ['tsrange', '[2024-01-01T00:00:00.0,2024-01-01T00:00:00]'],
    ['tsrange', '[2024-01-01T00:00:00,)'],
    ['tstzrange', '["2024-01-01 00:00:00+00",infinity]'],
    ['tstzrange', '[2024-01-01T00:00:00Z,2024-01-01T00:00:01Z)'],
    ['tstzrange', '["0044-03-15 12:00:00+00 BC","2024-01-01 00:00:00+00")'],
    ['int4multirange', '{[1,3),[5,8)}'],
    ['int4multirange', '{}'],
    ['int4multirange', '[1,3)'],
    ['numrange', '[-Infinity,-Infinity]'],
    ['numrange', '[Infinity,NaN]'],
    ['numrange', '[1,Infinity]'],
    ['daterange', '[-infinity,2024-01-01)'],
    ['daterange', '[2024-01-01,5874897-12-31)'],
    ['tstzrange', '["0044-03-15 12:00:00+00 BC","0043-03-15 12:00:00+00 BC"]'],
    ['int8range', '[2147483648,)'],
    ['numrange', '[NaN,)'],
    ['numrange', '(,-Infinity]'],
    ['tsrange', '[0044-03-15T12:00:00 BC,)'],
    ['textrange', '[a,b)'],
    ['textrange', 'a[1'],
    ['textrange', 'emptyish'],
    ['textrange', 'not empty'],
    ['int8multirange', '{[1,2147483648]}'],
  ])('of %s may be %s', (type, text) => {
    expect(read(type, text)).toBe(text);
  });

  it.each<[string, unknown, string]>([
    ['int4range', 5, '5'],
    ['int8range', '9223372036854775807', '9223372036854775807'],
    ['numrange', '12.50', '12.50'],
    ['daterange', '2024-02-29', '2024-02-29'],
    ['tstzrange', '2024-01-01T00:00:00+02:00', '2023-12-31T22:00:00Z'],
  ])('of %s may be the value %j', (type, value, text) => {
    expect(read(type, value)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['int4range', 2 ** 31],
    ['int4range', '[1,2147483648)'],
    ['int4range', '[1,2147483647]'],
    ['int4range', '(2147483647,)'],
    ['int4range', '[5,1)'],
    ['int4range', '[1,5'],
    ['int4range', '1,5)'],
    ['int4range', '[1 ,5)'],
    ['int4range', '[a,5)'],
    ['int4range', '[1,5);--'],
    ['int4range', '{[1,3)}'],
    ['int4range', true],
    ['int4range', null],
    ['int4range', ['[1,5)']],
    ['int4range', '[,2147483647]'],
    ['int4range', '[,2147483648)'],
    ['int4range', '[-2147483649,)'],
    ['int4range', '5)'],
    ['int4range', 'is empty'],
    ['int4range', 'emptyish'],
    ['int4range', ' [1,5)'],
    ['numrange', '[NaN,Infinity]'],
    ['numrange', '[Infinity,-Infinity]'],
    ['numrange', '[1,-Infinity]'],
    ['daterange', '(5874897-12-31,)'],
    ['tstzrange', '[2024-01-01T00:00:00Z BC+02:00,)'],
    ['tstzrange', '["at 2024-01-01 00:00:00+00",)'],
    ['tstzrange', '["2024-01-01 00:00:00+00 x",)'],
    ['tstzrange', '[2024-01-01T00:00:00+02:00,)'],
    ['tstzrange', '[2024-01-01T00:00:00z,)'],
    ['tstzrange', '[2024-01-02T00:00:00Z,2024-01-01T00:00:00Z)'],
    ['textrange', '[a'],
    ['int4multirange', '{[1,3),[8,5)}'],
    ['int8range', '[1,9223372036854775807]'],
    ['numrange', '[2,1.99]'],
    ['numrange', '[NaN,1]'],
    ['daterange', '[2024-02-30,)'],
    ['daterange', '[,5874897-12-31]'],
    ['daterange', '[2024-01-02,2024-01-01]'],
    ['daterange', '[2024-01-01,0044-03-15 BC]'],
    ['daterange', '[infinity,2024-01-01)'],
    ['tsrange', '[2024-01-01T00:00:00.5,2024-01-01T00:00:00]'],
    ['tstzrange', '[2024-01-01T00:00:00+02:00,2024-01-01T00:00:00+05:00]'],
    ['int4multirange', '{[1,3),}'],
    ['int4multirange', '{[3,1)}'],
    ['int4multirange', '{[1,3),[5,8)'],
  ])('of %s is never %j', (type, value) => {
    expect(read(type, value)).toBeUndefined();
  });
});
