import { Pools, QueryFailedError } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { errorKind, toQueryError, isMovedSession } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('It failed'), { code });

describe('a failure of PostgreSQL', () => {
  it.each([
    ['57P01', 'lost', 'database_unavailable'],
    ['57P05', 'lost', 'database_unavailable'],
    ['57000', 'lost', 'database_unavailable'],
    ['08006', 'lost', 'database_unavailable'],
    ['25P03', 'lost', 'database_unavailable'],
    ['25P04', 'lost', 'database_unavailable'],
    ['ECONNRESET', 'lost', 'database_unavailable'],
    ['40001', 'conflict', 'database_unavailable'],
    ['72000', 'conflict', 'database_unavailable'],
    ['0A000', 'stale_plan', 'model_unreadable'],
    ['26000', 'stale_plan', 'model_unreadable'],
    ['57014', 'stopped', 'query_timeout'],
    ['53400', 'over_limit', 'query_timeout'],
    ['54000', 'too_large', 'reply_too_large'],
    ['55P03', 'locked', 'database_unavailable'],
    ['53300', 'unavailable', 'database_unavailable'],
    ['53100', 'unavailable', 'database_unavailable'],
    ['55006', 'unavailable', 'database_unavailable'],
    ['58030', 'unavailable', 'database_unavailable'],
    ['F0000', 'unavailable', 'database_unavailable'],
    ['42P01', 'schema_changed', 'schema_changed'],
    ['55000', 'schema_changed', 'schema_changed'],
    ['28P01', 'denied', 'database_unavailable'],
    ['3D000', 'denied', 'database_unavailable'],
    ['22012', 'data_error', 'data_error'],
    ['20000', 'data_error', 'data_error'],
    ['21000', 'data_error', 'data_error'],
    ['23514', 'data_error', 'data_error'],
    ['44000', 'data_error', 'data_error'],
    ['P0001', 'data_error', 'data_error'],
    ['ZZ999', 'data_error', 'data_error'],
    ['25006', 'unreadable', 'model_unreadable'],
    ['2F003', 'unreadable', 'model_unreadable'],
    ['38000', 'unreadable', 'model_unreadable'],
    ['39004', 'unreadable', 'model_unreadable'],
    ['42P17', 'unreadable', 'model_unreadable'],
    ['54001', 'unreadable', 'model_unreadable'],
    ['HV000', 'unreadable', 'model_unreadable'],
    ['XX000', 'unreadable', 'model_unreadable'],
    ['42601', 'other', undefined],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'other', undefined],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'other', undefined],
  ])('with the code %s is of the kind %s, and the caller gets %s', (code, kind, answer) => {
    const error = withCode(code);
    const { code: got } = Object(toQueryError(error)) as { code?: string };
    expect([errorKind(error), got]).toEqual([kind, answer]);
  });

  it('is reported to the caller with a code of its own', () => {
    expect(toQueryError(new Pools.ConnectionLostError('It is gone.'))).toMatchObject({
      code: 'database_unavailable',
    });
    expect(toQueryError(withCode('57014'))).toMatchObject({ code: 'query_timeout' });
    expect(toQueryError(withCode('42703'))).toMatchObject({ code: 'schema_changed' });
    expect(toQueryError(withCode('22012'))).toMatchObject({
      code: 'data_error',
      message: 'PostgreSQL 22012',
      databaseWords: 'It failed',
    });
    expect(toQueryError(withCode('38000'))).toMatchObject({
      code: 'model_unreadable',
      message: 'PostgreSQL 38000',
      databaseWords: 'It failed',
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
