import { describe, expect, it } from 'vitest';

import { wireTypeOf } from './wire-types.ts';

const base = (name: string) => ({ name, kind: 'b', built_in: true });

describe('the wire type of a PostgreSQL type', () => {
  it.each([
    [base('int8'), null, { type: 'int64' }],
    [base('inet'), null, { type: 'inet' }],
    [base('point'), null, { type: 'other' }],
    [base('tstzrange'), null, { type: 'range', items: 'timestamp_tz' }],
    [base('int4multirange'), null, { type: 'range', items: 'int32' }],
    [base('_int4range'), base('int4range'), { type: 'array', items: 'other' }],
    [{ name: 'int4range', kind: 'r', built_in: false }, null, { type: 'other' }],
    [base('constructor'), null, { type: 'other' }],
    [{ name: 'int8', kind: 'b', built_in: false }, null, { type: 'other' }],
    [{ name: 'citext', kind: 'b', built_in: false }, null, { type: 'text' }],
    [{ name: 'text', kind: 'e', built_in: false }, null, { type: 'enum' }],
    [base('_float4'), base('float4'), { type: 'array', items: 'float64' }],
    [base('_bytea'), base('bytea'), { type: 'other' }],
    [base('_cidr'), base('cidr'), { type: 'array', items: 'inet' }],
  ])('of %j with the elements %j is %j', (type, items, wire) => {
    expect(wireTypeOf(type, items)).toEqual(wire);
  });
});
