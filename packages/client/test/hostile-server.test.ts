import { pageMetadata, type PageMetadata } from '@proj/paging';
import { EndlessListError, InvalidReplyError } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { json, raw, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const ROWS = { model: 'rows', attributes: ['id', 'name'], size: 2 } as const;
const ROW = { id: 1, name: 'a' };
const PAIR = [ROW, { id: 2, name: 'b' }];

async function against(answer: Answer, retries = 0) {
  const { client, server } = await startClient(answer, { retries });
  return { client, count: () => server.requests.length };
}

/** Answers every page with the records and the metadata of its number. */
function every(
  result: unknown[] | ((page: number) => unknown[]),
  metadata: (page: number) => Partial<PageMetadata>,
): Answer {
  return (request, response) => {
    const { page } = (JSON.parse(request.body) as { page: { page: number; size: number } }).page;
    const meta = { page: String(page), size: '2', total: '9', has_next: true, ...metadata(page) };
    json({ result: typeof result === 'function' ? result(page) : result, page: meta })(
      request,
      response,
    );
  };
}

describe('a server that never lets a walk end', () => {
  it.each<[string, Answer, string, number]>([
    [
      'repeats page 1 whatever it is asked',
      every(PAIR, () => ({ page: '1' })),
      '/page/page: expected "2" as requested; got "1"',
      2,
    ],
    [
      'says has_next on the last page',
      every(PAIR, () => ({ total: '4' })),
      '/page/has_next: expected false with a total of 4; got true',
      2,
    ],
    [
      'says that more follows empty pages',
      every([], () => ({ total: '1000' })),
      '/result: expected 2 records on page 1 of size 2 with a total of 1000; got 0',
      1,
    ],
  ])('is stopped when it %s', async (_what, answer, problem, requests) => {
    const { client, count } = await against(answer);
    const error = await caught(collect(client.pages(ROWS)));
    expect(error).toMatchObject({ message: `Invalid reply: ${problem}` });
    expect(count()).toBe(requests);
  });

  it('is stopped when a loop of the caller follows next', async () => {
    const { client, count } = await against(
      every(PAIR, (page) => ({ total: String(page * 2 + 1) })),
    );
    const follow = async () => {
      let page = await client.query({ ...ROWS, page: 1 }).then((first) => first.next());
      while (page !== null) page = await page.next();
    };
    expect(await caught(follow())).toBeInstanceOf(EndlessListError);
    expect(count()).toBe(102);
  });

  it('is stopped when it repeats to a walk that reads several pages at once', async () => {
    const { client, count } = await against(
      every(PAIR, (page) => ({ total: String(page * 2 + 1000) })),
    );
    const walk = client.pages(ROWS, { concurrency: 16, onDrift: 'ignore' });
    expect(await caught(collect(walk))).toBeInstanceOf(EndlessListError);
    expect(count()).toBeGreaterThan(100);
    expect(count()).toBeLessThanOrEqual(102 + 16);
  });

  it('is stopped by maxPages when all its pages are new', async () => {
    const fresh = every(
      (page) => [{ id: page, name: 'x' }, ROW],
      (page) => ({ total: String(page * 2 + 1) }),
    );
    const { client, count } = await against(fresh);
    const error = await caught(
      collect(client.pages({ ...ROWS, maxPages: 20 }, { onDrift: 'ignore' })),
    );
    expect(error).toBeInstanceOf(EndlessListError);
    expect(error).toMatchObject({ page: 20, message: expect.stringContaining('maxPages is 20') });
    expect(count()).toBe(20);
  });
});

describe('a list that looks endless and is not', () => {
  it('is read to its end when inserted rows push a page onto the next one', async () => {
    const pushed = every(
      (page) => (page < 3 ? PAIR : [{ id: page, name: 'x' }, ROW]),
      (page) => ({
        total: '8',
        has_next: page < 4,
      }),
    );
    const { client } = await against(pushed);
    expect(await collect(client.records(ROWS))).toHaveLength(8);
  });

  it('may have exactly as many pages as maxPages allows', async () => {
    const { client } = await against(
      every([ROW, ROW], (page) => ({ total: '6', has_next: page < 3 })),
    );
    expect(await collect(client.pages({ ...ROWS, maxPages: 3 }))).toHaveLength(3);
  });
});

describe('a reply that is no answer', () => {
  const meta = pageMetadata({ page: 1, size: 2 }, 2);
  const reply = (changes: object): string =>
    JSON.stringify({ result: PAIR, page: meta, ...changes });
  const page = (changes: object): string => reply({ page: { ...meta, ...changes } });

  it.each([
    ['a page of HTML', '<!DOCTYPE html><title>Welcome</title>'],
    ['nothing', ''],
    ['JSON that is cut short', reply({}).slice(0, -9)],
    ['JSON with a control character within', '{"result":\u0000}'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a reply without result', reply({ result: undefined })],
    ['a result that is an object', reply({ result: { 0: ROW, length: 2 } })],
    ['a record that is a list', reply({ result: [['a', 1], ROW] })],
    ['a record that is null', reply({ result: [null, ROW] })],
    ['a record without an attribute', reply({ result: [{ id: 1 }, ROW] })],
    [
      'a record with an attribute that was not requested',
      reply({ result: [ROW, { ...ROW, password: 'x' }] }),
    ],
    [
      'a record that only inherits its attributes',
      '{"result":[{"__proto__":{"id":1,"name":"a"},"x":1}],"page":{}}',
    ],
    ['numbers that are not strings', page({ page: 1, size: 2, total: 2 })],
    ['a number with a leading zero', page({ page: '01' })],
    ['a negative total', page({ total: '-2' })],
    ['a total that is not whole', page({ total: '2.0' })],
    ['a total of a million digits', page({ total: '9'.repeat(1_000_000) })],
    ['has_next as text', page({ has_next: 'false' })],
  ])('is refused: %s', async (_what, body) => {
    const { client, count } = await against(
      raw(body, 200, { 'content-type': 'application/json' }),
      2,
    );
    const error = await caught(client.query({ ...ROWS, page: 1 }));
    expect(error).toBeInstanceOf(InvalidReplyError);
    expect((error as InvalidReplyError).message.length).toBeLessThan(250);
    expect(count()).toBe(1);
  });

  it('is accepted with members that a later version may add', async () => {
    const { client } = await against(raw(page({ cursor: 'x' }).replace('{', '{"more":1,')));
    expect((await client.query({ ...ROWS, page: 1 })).records).toEqual(PAIR);
  });

  it.each([204, 206])('is judged by its body, not by its status %i', async (status) => {
    const { client } = await against(raw('', status));
    expect(await caught(client.query({ ...ROWS, page: 1 }))).toBeInstanceOf(InvalidReplyError);
  });

  it('is refused for the catalogue too', async () => {
    const { client } = await against(json({ models: [{ name: 'rows' }] }));
    expect(await caught(client.models())).toMatchObject({
      name: 'InvalidReplyError',
      mismatch: { pointer: '/models/0/description' },
    });
  });

  it('is refused for a model when another one comes', async () => {
    const other = {
      name: 'other',
      description: null,
      attributes: [],
      key: [],
      default_sort: [],
      max_page_size: 10,
    };
    const { client } = await against(json(other));
    expect(await caught(client.model('..'))).toMatchObject({
      mismatch: { pointer: '/name', expected: '".."', got: '"other"' },
    });
  });
});

it('returns attributes with names of the object prototype as they are', async () => {
  const record = '{"__proto__":1,"constructor":2,"a\\"b":3}';
  const { client } = await against(
    raw(`{"result":[${record}],"page":${JSON.stringify(pageMetadata({ page: 1, size: 1 }, 1))}}`),
  );
  const { records } = await client.query({
    model: 'odd',
    attributes: ['__proto__', 'constructor', 'a"b'],
    page: 1,
    size: 1,
  });
  expect(JSON.stringify(records)).toBe(`[${record}]`);
  expect(Object.getPrototypeOf(records[0])).toBe(Object.prototype);
});
