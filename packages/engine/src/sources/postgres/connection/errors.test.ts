import { describe, expect, it } from 'vitest';

import { QueryFailedError } from '../../../errors.ts';
import { ConnectionLostError, errorKind, toQueryError, isMovedSession } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('It failed'), { code });

describe('a failure of PostgreSQL', () => {
  it.each([
    ['57P01', 'lost'],
    ['08006', 'lost'],
    ['ECONNRESET', 'lost'],
    ['40001', 'conflict'],
    ['0A000', 'stale_plan'],
    ['26000', 'stale_plan'],
    ['57014', 'stopped'],
    ['55P03', 'locked'],
    ['53300', 'unavailable'],
    ['42P01', 'schema_changed'],
    ['28P01', 'denied'],
    ['3D000', 'denied'],
    ['22012', 'data_error'],
    ['21000', 'data_error'],
    ['P0001', 'data_error'],
    ['25006', 'unreadable'],
    ['39004', 'unreadable'],
    ['42P17', 'unreadable'],
    ['XX000', 'unreadable'],
    ['42601', 'other'],
  ])('with the code %s is of the kind %s', (code, kind) => {
    expect(errorKind(withCode(code))).toBe(kind);
  });

  it('is reported to the caller with a code of its own', () => {
    expect(toQueryError(new ConnectionLostError('It is gone.'))).toMatchObject({
      code: 'database_unavailable',
    });
    expect(toQueryError(withCode('57014'))).toMatchObject({ code: 'query_timeout' });
    expect(toQueryError(withCode('42703'))).toMatchObject({ code: 'schema_changed' });
    expect(toQueryError(withCode('22012'))).toMatchObject({
      code: 'data_error',
      message: 'PostgreSQL 22012: It failed',
    });
    expect(toQueryError(withCode('25006'))).toMatchObject({
      code: 'model_unreadable',
      message: 'PostgreSQL 25006: It failed',
    });
    expect(toQueryError(withCode('42601'))).toEqual(new Error('PostgreSQL 42601: It failed'));
    const known = new QueryFailedError('overloaded', 'Later.');
    expect(toQueryError(known)).toBe(known);
  });

  it('shows a pooler that moves sessions', () => {
    expect(['26000', '42P05', '0A000'].map((code) => isMovedSession(withCode(code)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isMovedSession(undefined)).toBe(false);
  });
});
