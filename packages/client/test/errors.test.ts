import { inspect } from 'node:util';

import { DynamicQueryError, NetworkError, ProblemError, type ClientOptions } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { problem, TOKEN } from './contract-service.ts';
import { hangUp, json, raw, silence, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const FIRST = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;

async function failure(answer: Answer, options: Partial<ClientOptions> = {}): Promise<unknown> {
  const { client } = await startClient(answer, options);
  return caught(client.query(FIRST));
}

describe('a problem of the service', () => {
  it('has its code, its id and every error with its place', async () => {
    const errors = [
      {
        pointer: '/query_attributes/0',
        code: 'unknown_attribute',
        detail: 'No such attribute.',
        did_you_mean: 'id',
      },
      { pointer: '/page/size', code: 'size_too_large', detail: 'At most 5.', maximum: 5 },
    ];
    const error = await failure(problem(400, 'invalid_request', { errors }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toBeInstanceOf(DynamicQueryError);
    expect(error).toMatchObject({
      name: 'ProblemError',
      message:
        'The service answered 400 invalid_request: Detail of invalid_request. (request id ' +
        'request-1)\n- /query_attributes/0: No such attribute. Did you mean "id"?\n' +
        '- /page/size: At most 5.',
      status: 400,
      code: 'invalid_request',
      detail: 'Detail of invalid_request.',
      requestId: 'request-1',
      errors,
      retryAfterMs: null,
    });
  });

  it('keeps a code that this version does not know', async () => {
    const document = {
      type: '/problems/new',
      title: 'New',
      status: 418,
      detail: 'Brand new.',
      code: 'new',
      request_id: 'r',
    };
    expect(await failure(json(document, 418))).toMatchObject({
      status: 418,
      code: 'new',
      detail: 'Brand new.',
    });
  });

  it.each([
    ['a page of HTML', '<h1>Bad gateway</h1>', 'text/html'],
    ['JSON of another shape', '{"error":"no"}', 'application/json'],
    ['JSON that is cut short', '{"type":', 'application/json'],
    ['nothing', '', ''],
  ])('has no code when a proxy answers with %s', async (_what, body, type) => {
    const headers = { ...(type && { 'content-type': type }), 'x-request-id': 'proxy-7' };
    expect(await failure(raw(body, 502, headers))).toMatchObject({
      message: 'The service answered 502 without a problem document (request id proxy-7)',
      status: 502,
      code: null,
      detail: '',
      requestId: 'proxy-7',
      errors: [],
    });
  });
});

describe('the token', () => {
  const scenes: readonly [string, Answer, Partial<ClientOptions>][] = [
    ['a problem', problem(400, 'invalid_request'), {}],
    ['a reply that is not JSON', raw('<html>'), {}],
    ['a reply of another shape', json({ result: [] }), {}],
    ['a redirect', raw('', 302, { location: 'http://127.0.0.1:9/' }), {}],
    ['a broken connection', hangUp, {}],
    ['a timeout', silence, { timeoutMs: 30 }],
  ];

  it.each(scenes)(
    'does not show in the error of %s, however deep one looks',
    async (_scene, answer, options) => {
      const error = await failure(answer, options);
      expect(error).toBeInstanceOf(DynamicQueryError);
      const printed = inspect(error, { depth: Infinity, showHidden: true, getters: true });
      expect(printed).not.toContain(TOKEN);
      expect(printed).not.toContain('authorization');
    },
  );

  it('comes from a function whose own error reaches the caller', async () => {
    const lost = new Error('the login expired');
    const token = () => {
      throw lost;
    };
    expect(await failure(silence, { token })).toBe(lost);
  });

  it('is not sent, nor shown, when the function returns what is no token', async () => {
    const error = await failure(silence, { token: () => 'secret\r\nx-injected: 1' });
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain('secret');
  });

  it('counts as a network failure when its function cannot reach its own server', async () => {
    const cause = new TypeError('fetch failed');
    const error = await failure(silence, { token: async () => Promise.reject(cause) });
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ cause });
  });
});

it('takes a fetch of the caller, and calls its failures network failures', async () => {
  const seen: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push(request);
    throw new Error('offline');
  };
  const error = await failure(silence, { fetch });
  expect(error).toMatchObject({
    name: 'NetworkError',
    message: expect.stringContaining('got none: offline'),
  });
  expect(seen[0]).toMatchObject({ method: 'POST', redirect: 'manual' });
});
