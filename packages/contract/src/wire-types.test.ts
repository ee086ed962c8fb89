import { describe, expect, it } from 'vitest';

import { WIRE_TYPES, type WireType, type WireTypeFacts } from './wire-types.ts';

/** What each type's example must look like; a type without a line here does not compile. */
const FORMS: Record<WireType, (value: unknown) => boolean> = {
  text: isString,
  uuid: matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  enum: isString,
  int32: (value) => Number.isInteger(value) && value === Number(value) && Math.abs(value) < 2 ** 31,
  int64: matches(/^-?(0|[1-9]\d*)$/),
  decimal: matches(/^-?\d+(\.\d+)?$/),
  float64: (value) =>
    typeof value === 'number' || ['NaN', 'Infinity', '-Infinity'].includes(String(value)),
  boolean: (value) => typeof value === 'boolean',
  date: matches(/^\d{4}-\d\d-\d\d$/),
  time: matches(/^\d\d:\d\d:\d\d\.\d{6}$/),
  timestamp: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
  timestamp_tz: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  interval: matches(/^\d+ day \d\d:\d\d:\d\d$/),
  inet: matches(/^\d+(\.\d+){3}\/\d+$/),
  range: matches(/^\[\d+,\d+\)$/),
  bytes: (value) =>
    isString(value) && Buffer.from(String(value), 'base64').toString('base64') === value,
  json: () => true,
  array: Array.isArray,
  any: (value) => JSON.stringify(value) === '{"number":"9223372036854775807"}',
  other: isString,
};

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

const types: [type: WireType, facts: WireTypeFacts][] = Object.entries(WIRE_TYPES) as [
  WireType,
  WireTypeFacts,
][];

describe('the table of wire types', () => {
  it.each(types)('has for %s an example that is JSON of its form', (type, { example }) => {
    expect(JSON.parse(example)).toSatisfy(FORMS[type]);
  });

  it.each(types)('says of %s what its JSON is and what is kept', (_, { json, note }) => {
    expect(json).not.toBe('');
    expect(note).not.toMatch(/\.$/);
  });

  it('shows an int64 that a JSON number would round', () => {
    const digits = JSON.parse(WIRE_TYPES.int64.example) as string;
    expect(String(Number(digits))).not.toBe(digits);
  });

  it('shows a stored JSON value whose numbers keep their own digits', () => {
    expect(WIRE_TYPES.json.example).toContain('2.50');
  });
});
