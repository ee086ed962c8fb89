import { describe, expect, it } from 'vitest';

import { wireTypeOf } from './wire-types.ts';

describe('the wire type of a declared type', () => {
  it.each([
    // The examples of https://sqlite.org/datatype3.html §3.1.1, in their order.
    ['INT', 'int64'],
    ['INTEGER', 'int64'],
    ['TINYINT', 'int64'],
    ['MEDIUMINT', 'int64'],
    ['UNSIGNED BIG INT', 'int64'],
    ['INT2', 'int64'],
    ['CHARACTER(20)', 'text'],
    ['VARYING CHARACTER(255)', 'text'],
    ['NATIVE CHARACTER(70)', 'text'],
    ['NVARCHAR(100)', 'text'],
    ['TEXT', 'text'],
    ['CLOB', 'text'],
    ['BLOB', 'bytes'],
    ['REAL', 'float64'],
    ['DOUBLE PRECISION', 'float64'],
    ['FLOAT', 'float64'],
    ['NUMERIC', 'decimal'],
    ['DECIMAL(10,5)', 'decimal'],
  ])('follows the affinity that SQLite gives %s: %s', (declared, type) => {
    expect(wireTypeOf(declared)).toBe(type);
  });

  it.each([
    ['BOOLEAN', 'boolean'],
    ['BOOL', 'boolean'],
    ['UUID', 'uuid'],
    ['JSON', 'json'],
    ['DATE', 'date'],
    ['TIME', 'any'],
    ['DATETIME', 'timestamp'],
    ['TIMESTAMP', 'timestamp'],
    ['TIMESTAMPTZ', 'timestamp_tz'],
    ['TIMESTAMP(3) WITH TIME ZONE', 'timestamp_tz'],
    ['TIMESTAMP WITH TIME ZONE', 'timestamp_tz'],
    ['DATETIME(6)', 'timestamp'],
  ])('takes %s at its word: %s', (declared, type) => {
    expect(wireTypeOf(declared)).toBe(type);
  });

  it.each(['', ' ', 'ANY', 'any'])('knows nothing of %j', (declared) => {
    expect(wireTypeOf(declared)).toBe('any');
  });

  it.each([
    ['boolean', 'boolean'],
    ['  Integer ', 'int64'],
    ['varChar(3)', 'text'],
  ])('reads %j without regard to case and outer spaces', (declared, type) => {
    expect(wireTypeOf(declared)).toBe(type);
  });

  it.each([
    // The first rule that matches counts, as in SQLite.
    ['CHARINT', 'int64'],
    ['FLOATING POINT', 'int64'],
    ['BLOBTEXT', 'text'],
    ['JSONB', 'decimal'],
    ['DATES', 'decimal'],
    ['BOOLEANS', 'decimal'],
    ['STRING', 'decimal'],
    ['💶', 'decimal'],
  ])('gives %s the type %s, by the order of the rules', (declared, type) => {
    expect(wireTypeOf(declared)).toBe(type);
  });
});
