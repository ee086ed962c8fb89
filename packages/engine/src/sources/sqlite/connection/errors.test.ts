import { describe, expect, it } from 'vitest';

import { toQueryError } from './errors.ts';

const WHILE_RUNNING = { errcode: 1, code: undefined, preparing: false };

describe('a failure of SQLite', () => {
  it.each([
    ['no such table: cities', 'schema_changed'],
    ['no such column: t.name', 'schema_changed'],
    ['integer overflow', 'data_error'],
    ['malformed JSON', 'data_error'],
  ])('that shows while a statement runs, %s, is %s', (message, code) => {
    expect(toQueryError({ ...WHILE_RUNNING, message })).toMatchObject({ code });
  });

  it.each([
    'no such function: nope',
    'view a is circularly defined',
    'wrong number of arguments to function abs()',
  ])('that shows while a statement is prepared is one of the schema: %s', (message) => {
    expect(toQueryError({ ...WHILE_RUNNING, preparing: true, message })).toMatchObject({
      code: 'schema_changed',
    });
  });

  it('of our own syntax is no problem of the schema', () => {
    const message = 'near "form": syntax error';
    expect(toQueryError({ ...WHILE_RUNNING, preparing: true, message })).toEqual(
      new Error(`SQLite: ${message}`),
    );
  });

  it('to read the file makes the database unavailable', () => {
    expect(toQueryError({ ...WHILE_RUNNING, errcode: 11, message: 'malformed' })).toMatchObject({
      code: 'database_unavailable',
    });
  });
});
