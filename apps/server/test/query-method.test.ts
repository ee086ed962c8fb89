import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { OutgoingHttpHeaders } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

import { ENGINE_CHANNELS, type TracedStatement } from '@proj/engine';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  auditLines,
  CITIES,
  cityQuery,
  listen,
  QUERY_PATH,
  send,
  sendTo,
  sharedService,
  startService,
  until,
} from './helper.ts';
import { openShop, orderQuery, SHOP_ROLES } from './owasp/shop.ts';
import { rawExchange } from './raw-http.ts';

const service = await sharedService();
const shop = await openShop();

const CACHE_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Accept, Accept-Encoding, Authorization, Origin',
};

/** Sends a body by QUERY, with the token of the tests. */
async function query(
  body: unknown,
  headers: OutgoingHttpHeaders = {},
  app: FastifyInstance = service.app,
): Promise<LightMyRequestResponse> {
  return send(app, body, { method: 'QUERY', headers });
}

function idBelow(value: number): object {
  return { attribute: 'id', op: 'lt', value: String(value) };
}

async function tagOf(body: unknown): Promise<string> {
  return String((await query(body)).headers.etag);
}

describe('a QUERY', () => {
  it('is answered as a POST is, with the headers of a reply that can be kept', async () => {
    const [posted, queried] = [await service.ask(cityQuery(2, 5)), await query(cityQuery(2, 5))];
    expect([queried.statusCode, queried.body]).toEqual([200, posted.body]);
    expect(queried.headers).toMatchObject({
      ...CACHE_HEADERS,
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'content-type': 'application/json; charset=utf-8',
      'data-version': posted.headers['data-version'],
      'server-timing': expect.stringContaining('rows;dur='),
    });
  });

  it('leaves the replies to POST as they are, which say that it is taken', async () => {
    const { headers } = await service.ask(cityQuery(2, 5), { 'if-none-match': '"a"' });
    expect(headers['accept-query']).toBe('application/json');
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('vary');
  });
});

describe('the entity tag', () => {
  it('is the same for the same reply, whatever was asked for it', async () => {
    const query_filter = { attribute: 'id', op: 'gte', value: '1' };
    const query_sort = [{ attribute: 'id' }];
    const tag = await tagOf(cityQuery(2, 5));
    expect(await tagOf({ ...cityQuery(2, 5), query_filter })).toBe(tag);
    expect(await tagOf({ ...cityQuery(2, 5), query_sort })).toBe(tag);
  });

  it('is another one for another page, size, total or name', async () => {
    const bodies = [
      cityQuery(1, 5),
      cityQuery(1, 6),
      cityQuery(2, 5),
      cityQuery(1, 5, ['name', 'id']),
      { ...cityQuery(1, 5), query_filter: idBelow(40) },
      { ...cityQuery(1, 5), query_filter: idBelow(41) },
      ...[8, 9].map((page) => cityQuery(page, 40, ['id'])),
      cityQuery(9, 40, ['name']),
      // Their offsets pass what a database counts, so that they are one page to it.
      ...[1, 2].map((less) => cityQuery(Number.MAX_SAFE_INTEGER - less, 1000)),
    ];
    const tags = await Promise.all(bodies.map(tagOf));
    expect(new Set(tags).size).toBe(bodies.length);
  });

  it('is another one for equal records of another model', async () => {
    const towns = 'create table towns (id integer primary key, name text not null);';
    const sql = `${CITIES} ${towns} insert into towns select id, name from cities;`;
    const { app } = await startService({ sql });
    const [cities, others] = await Promise.all(
      ['cities', 'towns'].map((model) =>
        query({ ...cityQuery(1, 5), query_model: model }, {}, app),
      ),
    );
    expect(others?.body).toBe(cities?.body);
    expect(others?.headers.etag).not.toBe(cities?.headers.etag);
  });
});

describe('a caller who holds the current page', () => {
  it.each(['"x", TAG', 'W/TAG', 'W/"x" , W/TAG'])('gets 304 without a body: %s', async (list) => {
    const tag = await tagOf(cityQuery(1, 5));
    const reply = await query(cityQuery(1, 5), { 'if-none-match': list.replace('TAG', tag) });
    expect([reply.statusCode, reply.body]).toEqual([304, '']);
    expect(reply.headers).toMatchObject({ ...CACHE_HEADERS, etag: tag });
    expect(reply.headers).not.toHaveProperty('content-type');
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  it.each(['*', '"x"', 'x', ''])('is not one who sends %j', async (list) => {
    const reply = await query(cityQuery(1, 5), { 'if-none-match': list });
    expect([reply.statusCode, reply.json().result.length]).toEqual([200, 5]);
  });

  it('gets 304 after a write that leaves the page as it was, and after no other', async () => {
    const busy = await startService();
    const writer = new DatabaseSync(busy.file, { timeout: 10_000 });
    const ask = (headers: OutgoingHttpHeaders = {}) => query(cityQuery(1, 5), headers, busy.app);
    const tag = String((await ask()).headers.etag);
    writer.exec('update cities set area = area + 1, name = case id when 40 then 1 else name end');
    expect((await ask({ 'if-none-match': tag })).statusCode).toBe(304);
    writer.exec(`update cities set name = 'another' where id = 3`);
    const changed = await ask({ 'if-none-match': tag });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(tag);
    writer.exec(`update cities set name = 'city 3' where id = 3`);
    expect((await ask({ 'if-none-match': tag })).statusCode).toBe(304);
    writer.close();
  });

  it('gets 304 for groups until a record behind one of them changes', async () => {
    const { app, file } = await startService();
    const groups = {
      query_model: 'cities',
      query_attributes: ['name', 'areas'],
      query_groups: ['name'],
      query_aggregates: [{ name: 'areas', op: 'sum', attribute: 'area' }],
      page: { page: 1, size: 10 },
    };
    const first = await query(groups, {}, app);
    const tag = String(first.headers.etag);
    expect((await query(groups, { 'if-none-match': tag }, app)).statusCode).toBe(304);
    const writer = new DatabaseSync(file, { timeout: 10_000 });
    writer.exec('update cities set area = area + 1 where id = 1');
    writer.close();
    expect((await query(groups, { 'if-none-match': tag }, app)).statusCode).toBe(200);
  });

  it('costs the database no statement but the check of its version', async () => {
    const tag = await tagOf(cityQuery(3, 5));
    const statements: TracedStatement[] = [];
    const note = (message: unknown): void => void statements.push(message as TracedStatement);
    subscribe(ENGINE_CHANNELS.statement, note);
    onTestFinished(() => void unsubscribe(ENGINE_CHANNELS.statement, note));
    const { statusCode } = await query(cityQuery(3, 5), { 'if-none-match': tag });
    expect(statusCode).toBe(304);
    expect(statements.filter(({ text }) => text.includes('cities'))).toEqual([]);
    await query(cityQuery(4, 5));
    expect(statements.filter(({ text }) => text.includes('cities'))).not.toEqual([]);
  });

  it('gets at most 300 bytes, also from a service that limits requests', async () => {
    const { app } = shop;
    const port = await listen(app);
    const body = JSON.stringify(orderQuery());
    const authorization = 'Bearer audit-token';
    const tag = String((await query(orderQuery(), { authorization }, app)).headers.etag);
    const head = (more: string): string =>
      `QUERY ${QUERY_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    const close = `Connection: close\r\nIf-None-Match: ${tag}\r\n`;
    // The first of two, as the last one says that the connection ends.
    const text = await rawExchange(port, head(`If-None-Match: ${tag}\r\n`) + head(close));
    const [, first = ''] = /^(HTTP\/1\.1 304 .*?\r\n\r\n)HTTP\/1\.1 304 /s.exec(text) ?? [];
    expect(first).not.toBe('');
    expect(first).not.toMatch(/^content-(type|length):/im);
    expect(first.length).toBeLessThanOrEqual(300);
  });
});

describe('who may see what', () => {
  it('is decided before a tag is compared, and a tag of others is none of the caller', async () => {
    const { app } = shop;
    const ask = (token: string, tag = '') =>
      query(orderQuery(), { authorization: `Bearer ${token}`, 'if-none-match': tag }, app);
    const north = await ask('north-token');
    const tag = String(north.headers.etag);
    expect((await ask('north-token', tag)).statusCode).toBe(304);
    const south = await ask('south-token', tag);
    expect(south.statusCode).toBe(200);
    expect(south.body).not.toBe(north.body);
    expect(await ask('old-token', tag)).toBeProblem('unauthenticated');
    expect(await ask('store-token', tag)).toBeProblem('unknown_model');
  });
});

describe('a 304', () => {
  it('counts as a request, and as no records', async () => {
    const limits = 'rate_limits: { requests_per_minute: 10, rows_per_day: 50 }\n';
    const { app } = await openShop({ over: shop, settings: SHOP_ROLES + limits });
    const ask = (tag = '') =>
      query(orderQuery(), { authorization: 'Bearer audit-token', 'if-none-match': tag }, app);
    const authorization = 'Bearer audit-token';
    const tag = String((await query(orderQuery(), { authorization }, shop.app)).headers.etag);
    const held = await ask(tag);
    expect(held.statusCode).toBe(304);
    expect(held.headers).not.toHaveProperty('ratelimit');
    const sent = await ask();
    expect(sent.statusCode).toBe(200);
    expect(sent.headers['ratelimit']).toMatch(/-minute";r=8;.*-day";r=0/);
    expect(await ask(tag)).toBeProblem('quota_exceeded');
  });

  it('says what remains of a limit of which less than half remains', async () => {
    const limits = 'rate_limits: { requests_per_minute: 5 }\n';
    const { app } = await openShop({ over: shop, settings: SHOP_ROLES + limits });
    const ask = (tag = '') =>
      query(orderQuery(), { authorization: 'Bearer audit-token', 'if-none-match': tag }, app);
    const tag = String((await ask()).headers.etag);
    const [third, second] = [await ask(tag), await ask(tag)];
    expect([third.statusCode, third.headers['ratelimit']]).toEqual([304, undefined]);
    expect([second.statusCode, second.headers['ratelimit']]).toEqual([
      304,
      expect.stringMatching(/^"requests-per-minute";r=2;t=\d+$/),
    ]);
  });

  it('leaves an audit line that says so', async () => {
    const { auditLog, lines } = auditLines();
    const { app } = await startService({ over: service, parts: { auditLog } });
    const origin = `http://127.0.0.1:${await listen(app)}`;
    const ask = (tag = '') =>
      sendTo(origin, cityQuery(1, 5), { method: 'QUERY', headers: { 'if-none-match': tag } });
    const first = await ask();
    await Promise.all([first.text(), ask(first.headers.get('etag') ?? '')]);
    await until(() => lines.length === 2);
    expect(lines).toMatchObject([
      { model: 'cities', attributes: ['id', 'name'], rows: 5, outcome: 'ok' },
      { model: 'cities', attributes: ['id', 'name'], rows: 0, outcome: 'not_modified' },
    ]);
  });

  it('says what is deprecated, as the reply did', async () => {
    const models = { cities: { deprecated: { since: '2026-01-01' } } };
    const { app } = await startService({ settings: { models } });
    const { headers } = await query(cityQuery(1, 5), {}, app);
    const held = await query(cityQuery(1, 5), { 'if-none-match': headers.etag }, app);
    expect([held.statusCode, held.headers['deprecation']]).toEqual([304, '@1767225600']);
  });
});
