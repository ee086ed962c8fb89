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

  it.each([
    [3, 'database_unavailable'],
    [5, 'database_unavailable'],
    [6, 'database_unavailable'],
    [7, 'database_unavailable'],
    [8, 'database_unavailable'],
    [10, 'database_unavailable'],
    [266, 'database_unavailable'],
    [11, 'database_unavailable'],
    [13, 'database_unavailable'],
    [14, 'database_unavailable'],
    [15, 'database_unavailable'],
    [26, 'database_unavailable'],
    [17, 'schema_changed'],
    [18, 'reply_too_large'],
    [20, 'data_error'],
    [21, undefined],
  ])('with the result code %i is answered with %s', (errcode, answer) => {
    const error = toQueryError({ ...WHILE_RUNNING, errcode, message: 'It failed' });
    expect((Object(error) as { code?: string }).code).toBe(answer);
  });
});
