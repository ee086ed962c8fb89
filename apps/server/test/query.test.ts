import { type Engine, QueryFailedError } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { cityQuery, sharedService, startService } from './helper.ts';

const service = await sharedService();

async function askFor(page: number, size: number, query_total: unknown): Promise<string> {
  return (await service.ask({ ...cityQuery(page, size, ['id']), query_total })).body;
}

describe('a total that is not asked for', () => {
  it('is null where it is more than a limit, which the reply says in its place', async () => {
    expect(await askFor(1, 1, { up_to: 41 })).toBe(
      '{"result":[{"id":"1"}],"page":{"page":"1","size":"1","total":null,"total_at_least":"42","has_next":true}}',
    );
    expect(await askFor(1, 1, { up_to: 42 })).toContain('"total":"42","has_next":true');
  });

  it('is named in the problem of a query that takes too long', async () => {
    const error = new QueryFailedError('query_timeout', 'It took too long.');
    const slow = await startService({
      over: service,
      stub: { query: () => Promise.reject(error) },
    });
    const { statusCode, body } = await slow.ask(cityQuery(1, 1));
    expect([statusCode, body]).toEqual([504, expect.stringContaining('query_total')]);
  });
});

it('a query is asked for by the principal of its token', async () => {
  const callers: unknown[] = [];
  const query: Engine['query'] = (_body, _grant, { caller } = {}) => {
    callers.push(caller);
    return Promise.reject(new QueryFailedError('overloaded', 'No connection is free.'));
  };
  const { ask } = await startService({ over: service, stub: { query } });
  await ask(cityQuery(1, 1));
  expect(callers).toEqual(['test-principal']);
});

describe('the reply', () => {
  it('is byte for byte result before page, with the attributes in the order of the request', async () => {
    const { body } = await service.ask(cityQuery(7, 1, ['population', 'name', 'area', 'id']));
    expect(body).toBe(
      '{"result":[{"population":null,"name":"city 7","area":7.5,"id":"7"}],"page":{"page":"7","size":"1","total":"42","has_next":true}}',
    );
  });

  it('has the headers of the contract', async () => {
    const { headers } = await service.ask(cityQuery(1, 1));
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'server-timing': expect.stringMatching(
        /^auth;dur=[\d.]+, plan;dur=[\d.]+, rows;dur=[\d.]+, count;dur=[\d.]+$/,
      ),
    });
  });

  it('counts bytes, not characters, and keeps every one of them', async () => {
    const name = 'Zürich 😀 "quoted" \\ \u2028 </script>';
    const exotic = await startService({
      sql: `create table cities (id integer primary key, "nä me" text); insert into cities values (1, '${name}');`,
    });
    const reply = await exotic.ask(cityQuery(1, 1, ['nä me']));
    expect(reply.json().result).toEqual([{ 'nä me': name }]);
    expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.body));
  });
});

describe('the request id', () => {
  it.each(['a', 'req-1', '01J9ZQ:4.x_y/z+a=', 'x'.repeat(128)])(
    'is that of the caller where it is plain: %s',
    async (id) => {
      expect(
        (await service.ask(cityQuery(1, 1), { 'x-request-id': id })).headers['x-request-id'],
      ).toBe(id);
    },
  );

  it.each([
    '',
    ' ',
    'a b',
    'a\tb',
    '<script>',
    '"',
    'ä',
    'a,b',
    '{}',
    '%0a',
    'x'.repeat(129),
    'a;b',
    "a'b",
  ])('is a new one where the log could be harmed: %j', async (id) => {
    const { headers } = await service.ask(cityQuery(1, 1), { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
