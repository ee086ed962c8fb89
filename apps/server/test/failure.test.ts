import type { ProblemCode } from '@proj/contract';
import { type QueryFailure, QueryFailedError } from '@proj/engine';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, vi } from 'vitest';

import { CITIES, cityQuery, ENDLESS, sharedService, startService, until } from './helper.ts';

const SECRET = 'password=hunter2 in /srv/secret.db';
const SLOW = { query_model: 'endless', query_attributes: ['id'], page: { page: 1, size: 1 } };
const SLOW_SQL = { sql: CITIES + ENDLESS, settings: { models: { endless: { key: ['id'] } } } };

describe('a query that takes too long', () => {
  it('is stopped in the database and answered with query_timeout', async () => {
    const { ask, get } = await startService({
      ...SLOW_SQL,
      settings: { ...SLOW_SQL.settings, queryTimeoutMs: 2000 },
    });
    expect(await ask(SLOW)).toBeProblem('query_timeout');
    // On a busy machine a quick query, too, may take longer than the limit of this test.
    await until(async () => (await ask(cityQuery(1, 1))).statusCode === 200);
    await until(async () => (await get('/readyz')).statusCode === 200);
  });
});

/** What the engine does with a query. */
let answer: () => Promise<never>;
const failing = await sharedService({ stub: { query: () => answer() } });

/** The reply to a query that fails with an error. */
async function replyTo(failure: unknown): Promise<LightMyRequestResponse> {
  answer = () => Promise.reject(failure);
  return failing.ask(cityQuery(1, 1));
}

describe('a failure of the engine', () => {
  const failures: readonly (readonly [QueryFailure, ProblemCode])[] = [
    ['database_unavailable', 'database_unavailable'],
    ['overloaded', 'overloaded'],
    ['query_timeout', 'query_timeout'],
    ['data_error', 'data_error'],
    ['session_refused', 'session_refused'],
    ['policy_failed', 'policy_failed'],
    ['model_unreadable', 'model_unreadable'],
    ['no_common_state', 'no_common_state'],
    ['model_unavailable', 'model_unavailable'],
    ['shutting_down', 'shutting_down'],
    ['cancelled', 'shutting_down'],
  ];
  it.each(failures)(
    '%s is answered with %s, and its message is not revealed',
    async (failure, code) => {
      const reply = await replyTo(new QueryFailedError(failure, SECRET));
      expect(reply).toBeProblem(code);
      expect(reply.headers['retry-after']).toBe(reply.statusCode === 503 ? '1' : undefined);
      expect(reply.body).not.toContain('hunter2');
    },
  );

  const unforeseen: readonly (readonly [string, unknown])[] = [
    ['an error', new Error(SECRET)],
    ['an error with a cause', new Error('outer', { cause: new Error(SECRET) })],
    ['a type error', new TypeError(SECRET)],
    ['an error with a status of ours', Object.assign(new Error(SECRET), { statusCode: 502 })],
    [
      'an error with a code',
      Object.assign(new Error(SECRET), { code: 'ERR_SQLITE_ERROR', errcode: 1 }),
    ],
    ['an aggregate', new AggregateError([new Error(SECRET)], SECRET)],
    ['a string', SECRET],
    ['an object', { message: SECRET, stack: SECRET }],
    ['null', null],
    ['undefined', undefined],
  ];
  it.each(unforeseen)(
    'that nobody foresaw is internal, and nothing of it is revealed: %s',
    async (_what, thrown) => {
      const reply = await replyTo(thrown);
      expect(reply).toBeProblem('internal');
      expect(JSON.stringify(reply.headers) + reply.body).not.toMatch(/hunter2|secret\.db/);
    },
  );

  it('that is thrown before the promise is returned is answered in the same way', async () => {
    answer = failAtOnce;
    expect(await failing.ask(cityQuery(1, 1))).toBeProblem('internal');
  });

  it('that nobody foresaw is logged with the request id and its cause', async () => {
    const cause = new Error(SECRET);
    const calls = await logOf(cause);
    expect(calls).toContainEqual({
      level: 'error',
      reqId: 'req-7',
      fields: { err: cause, code: 'internal' },
    });
    expect(calls).toContainEqual({
      level: 'info',
      reqId: 'req-7',
      fields: expect.objectContaining({ method: 'POST', status: 500 }),
    });
    expect(JSON.stringify(calls)).not.toContain('test-token');
  });

  it.each(['data_error', 'model_unreadable'] as const)(
    '%s is logged with the request id and its cause',
    async (code) => {
      const cause = new QueryFailedError(code, SECRET);
      expect(await logOf(cause)).toContainEqual({
        level: 'error',
        reqId: 'req-7',
        fields: { err: cause, code },
      });
    },
  );

  it.each(['overloaded', 'query_timeout', 'shutting_down'] as const)(
    '%s is a warning with its reason: under load there are many, all alike',
    async (code) => {
      const calls = await logOf(new QueryFailedError(code, 'No connection was free.'));
      expect(calls.filter(({ level }) => level !== 'info')).toEqual([
        { level: 'warn', reqId: 'req-7', fields: { code, reason: 'No connection was free.' } },
      ]);
    },
  );

  it('about an unavailable model is not logged for each request', async () => {
    const calls = await logOf(new QueryFailedError('model_unavailable', 'It is gone.'));
    expect(calls.map((call) => call.level)).toEqual(['info']);
  });

  it('does not log an error when the client only disconnected', async () => {
    const calls = await logOf(new QueryFailedError('cancelled', 'The caller left.'));
    expect(calls.map((call) => call.level)).toEqual(['info']);
  });
});

function failAtOnce(): never {
  throw new Error(SECRET);
}

interface LogCall {
  readonly level: 'info' | 'warn' | 'error';
  readonly reqId: unknown;
  readonly fields: unknown;
}

/** What is logged for one request with this request id that fails with this error. */
async function logOf(failure: Error): Promise<LogCall[]> {
  const calls: LogCall[] = [];
  const { ask, app } = failing;
  answer = () => Promise.reject(failure);
  const child = app.log.child.bind(app.log);
  const logging = vi.spyOn(app.log, 'child').mockImplementation((bindings, options) => {
    const log = child(bindings, options);
    const record = (level: LogCall['level']) => (fields: unknown) =>
      calls.push({ level, reqId: bindings['reqId'], fields });
    const levels = { info: record('info'), warn: record('warn'), error: record('error') };
    return Object.assign(log, levels);
  });
  await ask(cityQuery(1, 1), { 'x-request-id': 'req-7' });
  logging.mockRestore();
  return calls;
}
