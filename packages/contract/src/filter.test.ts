import { describe, expect, it } from 'vitest';

import { WRONG_FILTERS, WELL_FORMED_FILTERS } from '../test/wrong-filters.ts';
import { OPERATORS, operatorsOf } from './operators.ts';
import { readFilter } from './read-filter.ts';
import { WIRE_TYPES, type WireType } from './wire-types.ts';

describe('a filter', () => {
  it.each(WRONG_FILTERS)('%.100j has its errors, each at its place', (filter, ...errors) => {
    const reading = readFilter(filter, ['query_filter']);
    expect(reading.filter).toBeUndefined();
    expect(reading.errors.map(({ pointer, code }) => [pointer, code])).toEqual(
      errors.map(([pointer, code]) => [`/query_filter${pointer}`, code]),
    );
  });

  it.each(WELL_FORMED_FILTERS)('%.100j is read without an error', (filter) => {
    expect(readFilter(filter, []).errors).toEqual([]);
  });

  it('asks for NULL where is_null has no value', () => {
    expect(readFilter({ attribute: 'a', op: 'is_null' }, []).filter).toEqual({
      attribute: 'a',
      op: 'is_null',
      value: true,
    });
  });

  it('says where a comparison beside "related" belongs', () => {
    const { errors } = readFilter({ related: 'orders', op: 'eq', some: {}, n: 1 }, []);
    expect(errors.map(({ detail }) => detail)).toEqual([
      '/op: goes inside "some" or "none".',
      '/n: is not part of a filter.',
    ]);
  });

  it('is not made of what an object inherits', () => {
    expect(readFilter(Object.create({ and: [] }), []).errors[0]?.code).toBe('missing_member');
  });
});

describe('the table of operators', () => {
  it.each(Object.keys(WIRE_TYPES) as WireType[])(
    'lets every attribute be asked for NULL: %s',
    (type) => {
      expect(operatorsOf(type)).toContain('is_null');
    },
  );

  it('gives texts all operators but those of days, ranges and arrays, and values without order none that needs it', () => {
    expect(operatorsOf('text')).toEqual(
      Object.keys(OPERATORS).filter((op) => !/^(on|overlaps|has.*)$/.test(op)),
    );
    expect(operatorsOf('json')).toEqual(['is_null', 'has', 'has_any', 'has_all']);
    expect(operatorsOf('enum')).not.toContain('lt');
  });
});
