import type { OutgoingHttpHeaders } from 'node:http';

import { API_PATHS } from '@proj/contract';
import { type Engine, EVERYTHING, Grant, QueryFailedError } from '@proj/engine';
import { HttpProblem, type Principal, RunningExports } from '@proj/fastify/host';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { describe, expect, it } from 'vitest';

import { openLimits } from '../src/limits/limits.ts';
import { rateLimitSettings } from '../src/settings/groups/rate-limits.ts';
import { auditLines, listen, send, sharedService, startService, TOKEN, until } from './helper.ts';
import { askText, open } from './long-replies.ts';
import { EXPORT_PATH, LIST_OF_IDS } from './parquet/export-of.ts';
import { readProblem } from './problem.ts';

/** Far more than is ever on its way to a caller. */
const LARGE = `
  create table large (id integer primary key, word text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into large select i, printf('%0500d', i) from n;
  create table odd (id integer primary key, word text, number real);
  insert into odd values (1, '=1+1', -5), (2, null, null), (3, '', 0), (4, 'a,"b"' || char(10), 1.5);`;

const service = await sharedService();
const large = await sharedService({ sql: LARGE });

const CITIES = { query_model: 'cities', query_attributes: ['id', 'name', 'population'] };
const LARGE_LIST = { query_model: 'large', query_attributes: ['id', 'word'] };

async function exportOf(
  body: unknown,
  headers: OutgoingHttpHeaders = {},
  app: FastifyInstance = service.app,
): Promise<LightMyRequestResponse> {
  return send(app, body, { path: EXPORT_PATH, headers });
}

describe('an export', () => {
  it('holds the records of all pages as JSON lines, and says before how many they are', async () => {
    const page = { page: 1, size: 1000 };
    const { headers, body } = await service.ask({ ...CITIES, page });
    const { result } = JSON.parse(body) as { result: object[] };
    const reply = await exportOf(CITIES);
    expect(reply.body).toBe(result.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect(reply.headers).toMatchObject({
      'content-type': 'application/jsonl',
      'export-total': '42',
      'data-version': headers['data-version'],
      'cache-control': 'private, no-cache',
      'accept-query': 'application/json',
      'server-timing': expect.stringContaining('count;dur='),
    });
  });

  it.each([
    [{ te: 'trailers' }, { 'export-count': '42' }],
    [{ te: 'gzip;q=0.5, Trailers' }, { 'export-count': '42' }],
    [{ te: 'gzip' }, {}],
    [{}, {}],
  ])(
    'says after the records how many they are only to who takes trailers: %j',
    async (te, trailers) => {
      const reply = await exportOf(CITIES, te);
      expect(reply.trailers).toEqual(trailers);
      expect(reply.headers.trailer).toBe(Object.keys(trailers)[0]);
    },
  );

  it('is CSV where that is asked for, and guards formulas and names NULL as the request says', async () => {
    const { app } = large;
    const odd = { query_model: 'odd', query_attributes: ['word', 'number'] };
    const accept = 'text/csv';
    const plain = await exportOf(odd, { accept }, app);
    expect(plain.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(plain.body).toBe('word,number\r\n=1+1,-5\r\n,\r\n"",0\r\n"a,""b""\n",1.5\r\n');
    const export_csv = { null: 'NULL', guard_formulas: true };
    const guarded = await exportOf({ ...odd, export_csv }, { accept }, app);
    expect(guarded.body).toBe(
      `word,number\r\n'=1+1,-5\r\nNULL,NULL\r\n"",0\r\n"a,""b""\n",1.5\r\n`,
    );
    const useless = await exportOf({ ...odd, export_csv }, {}, app);
    const problem = readProblem(useless, 'invalid_export_csv');
    expect(problem.errors).toMatchObject([{ pointer: '/export_csv' }]);
  });

  it.each([
    [undefined, 'application/jsonl'],
    ['*/*', 'application/jsonl'],
    ['text/*', 'text/csv'],
    ['application/jsonl;q=0.5, text/csv', 'text/csv'],
    ['application/jsonl, text/csv;q=0.9', 'application/jsonl'],
    ['text/csv;q=0, application/jsonl', 'application/jsonl'],
    ['application/json', 406],
    ['text/csv;q=0', 406],
  ])('is of the type that Accept: %s prefers', async (accept, expected) => {
    const reply = await exportOf(CITIES, accept === undefined ? {} : { accept });
    const type = String(reply.headers['content-type']).split(';')[0];
    expect(reply.statusCode === 200 ? type : reply.statusCode).toBe(expected);
  });

  it('is the same by QUERY, with the headers by which caches tell replies apart', async () => {
    const reply = await send(service.app, CITIES, { method: 'QUERY', path: EXPORT_PATH });
    expect(reply.body).toBe((await exportOf(CITIES)).body);
    expect(reply.headers.vary).toBe('Accept, Accept-Encoding, Authorization, Origin');
    expect(reply.headers).not.toHaveProperty('etag');
  });

  it('is refused in HTTP/1.0, where a part would look whole', async () => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const { app } = await startService({ over: service, logLevel: 'error', parts: { logStream } });
    const text = request(CITIES).replace('HTTP/1.1', 'HTTP/1.0');
    const { received, closed } = open(await listen(app), text);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 505 [^]*"code":"http_version_too_old"/);
    // It is a matter of the caller, or of a proxy before it.
    expect(lines).toEqual([]);
  });
});

describe('an export that cannot be finished', () => {
  const CUTS = {
    database_unavailable: new QueryFailedError('database_unavailable', 'It is gone.'),
    query_timeout: new QueryFailedError('query_timeout', 'It took too long.'),
    internal: new Error('unforeseen'),
  };

  it.each(Object.entries(CUTS))(
    'is cut without its last chunk, and counted as %s',
    async (code, error) => {
      const watched = watchedParts();
      const { promise: seen, resolve: note } = Promise.withResolvers<void>();
      const stub = { export: failingAfter(seen, error) };
      const { app } = await startService({ over: service, stub, parts: watched.parts });
      const { received, closed } = open(await listen(app), request(CITIES));
      await until(() => received().includes('{"id":1}'));
      note();
      await closed;
      expect(received()).not.toMatch(/\r\n0\r\n/);
      await until(() => watched.entries.length > 0);
      expect(watched.entries).toMatchObject([{ outcome: code, rows: 1, model: 'cities' }]);
      const { running, completed, cut } = watched.exports;
      expect([running, completed, [...cut]]).toEqual([0, 0, [[code, 1]]]);
    },
  );

  it('is cut when the service stops, which does not wait for it', async () => {
    const watched = watchedParts();
    const { app } = await startService({ over: large, parts: watched.parts });
    open(await listen(app), request(LARGE_LIST));
    await until(() => watched.exports.bytes > 0);
    await app.close();
    await until(() => watched.entries.length > 0);
    expect(watched.entries).toMatchObject([{ outcome: 'shutting_down' }]);
  });

  it.each([
    ['is no longer valid', undefined],
    ['sees something else', { name: 'a', id: 'a', role: null, grant: new Grant(new Map()) }],
  ])('is cut when its token %s, whether or not it is read', async (_how, later) => {
    let principal: Principal | undefined = { name: 'a', id: 'a', role: null, grant: EVERYTHING };
    const watched = watchedParts();
    const authenticate = async () => principal;
    const parts = { ...watched.parts, authenticate };
    const { app } = await startService({ over: large, parts });
    const { socket } = open(await listen(app), request(LARGE_LIST));
    socket.pause();
    await until(() => watched.exports.bytes > 0);
    watched.exports.recheckAll();
    principal = later;
    expect(watched.exports.running).toBe(1);
    watched.exports.recheckAll();
    await until(() => watched.entries.length > 0);
    expect(watched.entries).toMatchObject([{ outcome: 'unauthenticated', model: 'large' }]);
    expect([...watched.exports.cut]).toEqual([['unauthenticated', 1]]);
  });

  it('ends in the database when the caller disconnects', async () => {
    const watched = watchedParts();
    const { app } = await startService({ over: large, parts: watched.parts });
    const { socket } = open(await listen(app), request(LARGE_LIST));
    socket.pause();
    await until(() => watched.exports.bytes > 0);
    expect(watched.exports.running).toBe(1);
    socket.destroy();
    await until(() => watched.exports.running === 0 && watched.entries.length > 0);
    expect(watched.entries).toMatchObject([{ outcome: 'cancelled' }]);
    expect([...watched.exports.cut]).toEqual([['cancelled', 1]]);
  });
});

describe('the limits of a token', () => {
  it('count the records of an export, and refuse one that is larger than what is left', async () => {
    const parts = await limitsOf({ rows_per_day: 100 });
    const { app } = await startService({ over: service, parts });
    const first = await exportOf(CITIES, {}, app);
    expect(first.headers['ratelimit']).toContain('"rows-per-day";r=58');
    expect((await exportOf(CITIES, {}, app)).headers['ratelimit']).toContain('r=16');
    const refused = await exportOf(CITIES, {}, app);
    readProblem(refused, 'quota_exceeded');
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    const query_filter = { attribute: 'id', op: 'lte', value: '16' };
    expect((await exportOf({ ...CITIES, query_filter }, {}, app)).statusCode).toBe(200);
    expect((await exportOf({ ...CITIES, query_filter }, {}, app)).statusCode).toBe(429);
  });

  it('count an export that runs as a query that runs', async () => {
    const parts = await limitsOf({ concurrent_queries: 1 });
    const exports = new RunningExports();
    const { app, ask } = await startService({ over: large, parts: { ...parts, exports } });
    const { socket } = open(await listen(app), request(LARGE_LIST));
    socket.pause();
    await until(() => exports.bytes > 0);
    const page = { page: 1, size: 1 };
    const query = { query_model: 'odd', query_attributes: ['id'], page };
    expect((await ask(query)).statusCode).toBe(429);
    socket.destroy();
    await until(async () => (await ask(query)).statusCode === 200);
  });

  it('count an export no longer whose role went while it got its slot', async () => {
    const { limits } = await limitsOf({ concurrent_queries: 1 });
    let isAllowed = true;
    const principal = {
      name: 'a',
      id: 'a',
      role: 'a',
      get grant() {
        if (!isAllowed) throw new HttpProblem('forbidden', 'The role is gone.');
        return EVERYTHING;
      },
    };
    const acquireSlot: typeof limits.acquireSlot = async (token) => {
      const slot = await limits.acquireSlot(token);
      isAllowed = false;
      return slot;
    };
    const parts = { authenticate: async () => principal, limits: { ...limits, acquireSlot } };
    const { app } = await startService({ over: service, parts });
    expect(await exportOf(CITIES, {}, app)).toBeProblem('forbidden');
    isAllowed = true;
    expect(await exportOf(CITIES, {}, app)).toBeProblem('forbidden');
  });
});

/** An export that begins, writes a record, and fails when that was seen. */
function failingAfter(seen: Promise<void>, error: Error): Engine['export'] {
  return async (_body, _grant, { sink }) => {
    await sink.begin({ ...LIST_OF_IDS, total: 2n });
    await sink.write({ text: '{"id":1}\n', records: 1 });
    await seen;
    throw error;
  };
}

function watchedParts() {
  const exports = new RunningExports();
  const { auditLog, lines: entries } = auditLines();
  return { exports, entries, parts: { exports, auditLog } };
}

async function limitsOf(rateLimits: object) {
  const settings = rateLimitSettings.parse(rateLimits);
  return { limits: await openLimits(settings, { log: pino({ level: 'silent' }) }) };
}

function request(body: object): string {
  return askText(API_PATHS.export, body, { token: TOKEN });
}
