import { text } from 'node:stream/consumers';
import type { ServerResponse } from 'node:http';

import {
  type ExportFileOptions,
  IncompleteExportError,
  InvalidReplyError,
  ProblemError,
  TimeoutError,
} from '@proj/client';
import { describe, expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { cities, CITIES_MODEL, attribute, problem, TOKEN } from './contract-service.ts';
import { freeMemory } from './free-memory.ts';
import { type Answer, inTurn, json, type ReceivedRequest, type TestServer } from './http-server.ts';
import { startClient } from './start-client.ts';
import { withClock } from './with-clock.ts';

const LIST = { model: 'cities', attributes: ['id', 'name'] } as const;

const LINES = cities(42).map(({ id, name }) => `${JSON.stringify({ id, name })}\n`);

const CSV = ['id,name\r\n', ...cities(42).map(({ id, name }) => `${id},"${name}\r\n"\r\n`)];

interface Sent {
  readonly total?: string;
  readonly type?: string;
  readonly end?: (response: ServerResponse) => void;
}

const cut = (response: ServerResponse): void => void response.destroy();

/** Answers with an export of these pieces. */
function exporting(
  pieces: readonly string[],
  { total = '42', type = 'application/jsonl', end = (response) => response.end() }: Sent = {},
): Answer {
  return (_request, response) => {
    const headers = { 'content-type': type, 'export-total': total, 'data-version': 'v1' };
    response.writeHead(200, headers);
    response.write(pieces.join(''), () => end(response));
  };
}

function requestOf({ requests: [first] }: TestServer): ReceivedRequest {
  if (first === undefined) throw new Error('Nothing was asked.');
  return first;
}

async function idsOf(records: AsyncIterable<object>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const record of records) ids.push((record as { id?: unknown }).id);
  return ids;
}

/** Sends a line every 100 ms. */
function lineByLine(controller: ReadableStreamDefaultController<Uint8Array>): void {
  let sent = 0;
  const timer = setInterval(() => {
    controller.enqueue(Buffer.from(LINES[sent++] ?? ''));
    if (sent < LINES.length) return;
    clearInterval(timer);
    controller.close();
  }, 100);
}

describe('an export', () => {
  it('asks for JSON lines in one request, and gives its records with their total', async () => {
    const { client, server } = await startClient(exporting(LINES));
    const filter = { attribute: 'id', op: 'gt', value: 0 } as const;
    const sort = [{ attribute: 'name' }] as const;
    const list = await client.export({ ...LIST, filter, sort });
    expect([list.total, list.dataVersion]).toEqual([42n, 'v1']);
    expect(await idsOf(list)).toEqual(cities(42).map(({ id }) => id));
    expect(server.requests).toHaveLength(1);
    const { method, path, headers, body } = requestOf(server);
    expect([method, path]).toEqual(['POST', '/api/v1/dynamic/export']);
    expect(headers).toMatchObject({
      accept: 'application/jsonl',
      authorization: `Bearer ${TOKEN}`,
    });
    expect(JSON.parse(body)).toEqual({
      query_model: 'cities',
      query_attributes: ['id', 'name'],
      query_filter: filter,
      query_sort: sort,
    });
    await expect(idsOf(list)).rejects.toThrow('An export can be iterated once.');
  });

  it('is a file of the bytes that the service sends', async () => {
    const { client, server } = await startClient(
      exporting(CSV, { type: 'text/csv; charset=utf-8' }),
    );
    const options = { format: 'csv', csvNull: 'NULL', csvGuardFormulas: true } as const;
    const { body, total } = await client.exportFile(LIST, options);
    expect([total, await text(body)]).toEqual([42n, CSV.join('')]);
    const { headers, body: sent } = requestOf(server);
    expect(headers['accept']).toBe('text/csv');
    expect(JSON.parse(sent)).toMatchObject({
      export_csv: { null: 'NULL', guard_formulas: true },
    });
  });

  it('has bigints where the client was asked for them', async () => {
    const model = { ...CITIES_MODEL, attributes: [attribute('id', 'int64')] };
    const { client } = await startClient(
      (request, response) =>
        (request.method === 'GET' ? json(model) : exporting(['{"id":"1"}\n'], { total: '1' }))(
          request,
          response,
        ),
      { int64: 'bigint' },
    );
    const list = await client.export({ model: 'cities', attributes: ['id'] });
    expect(await idsOf(list)).toEqual([1n]);
  });

  it('may take longer than a request, as long as something comes', async () => {
    const headers = { 'content-type': 'application/jsonl', 'export-total': '42' };
    const limits = { timeoutMs: 400, deadlineMs: 500 };
    const { client } = withClock(
      () => new Response(new ReadableStream({ start: lineByLine }), { headers }),
      limits,
    );
    const ids = client.export(LIST).then(idsOf);
    await vi.advanceTimersByTimeAsync(4200);
    expect(await ids).toHaveLength(42);
  });

  it('is repeated before it has begun, and never after', async () => {
    const busy = problem(503, 'overloaded', { headers: { 'retry-after': '0' } });
    const broken = exporting(LINES.slice(0, 5), { end: cut });
    const { client, server } = await startClient(inTurn(busy, broken), { retries: 3 });
    await expect(idsOf(await client.export(LIST))).rejects.toThrow(IncompleteExportError);
    expect(server.requests).toHaveLength(2);
  });

  it('is refused with the problem of the service', async () => {
    const { client } = await startClient(problem(404, 'not_found'));
    const error = await caught(client.export(LIST));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('ends with the connection when it is left early', async () => {
    const { promise: left, resolve: note } = Promise.withResolvers<void>();
    const endless: Answer = (request, response) => {
      response.once('close', note);
      exporting(LINES, { total: '1000', end: () => undefined })(request, response);
    };
    const { client } = await startClient(endless);
    for await (const { id } of await client.export(LIST)) if (id === 1) break;
    await expect(left).resolves.toBeUndefined();
  });

  it.each([
    ['before it is read', 0],
    ['while it waits for the next bytes', 1],
  ])('ends at once when its file is cancelled %s', async (_when, reads) => {
    const cancel = vi.fn<() => void>();
    const bytes = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(LINES.join(''))),
      cancel,
    });
    const headers = { 'content-type': 'application/jsonl', 'export-total': '1000' };
    const { client } = await startClient(json({}), {
      fetch: async () => new Response(bytes, { headers }),
    });
    const { body } = await client.exportFile(LIST, { format: 'jsonl' });
    const reader = body.getReader();
    for (let read = 0; read < reads; read++) await reader.read();
    const waiting = reads === 0 ? undefined : reader.read();
    await reader.cancel();
    expect(cancel).toHaveBeenCalledOnce();
    expect((await waiting)?.done).not.toBe(false);
  });

  it('ends with its signal after memory was freed, with which Node forgets the signal of a request', async () => {
    const { client } = await startClient(exporting(LINES.slice(0, 7), { end: () => undefined }));
    const controller = new AbortController();
    const reading = client.export(LIST, { signal: controller.signal }).then(idsOf);
    reading.catch(() => undefined);
    await freeMemory();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('what is not the whole list is an error:', () => {
  it.each([
    ['a cut in a record', LINES.slice(0, 7), { end: cut }, 7n],
    ['an end that comes too early', LINES.slice(0, 7), {}, 7n],
    ['a record too many', [...LINES, '{"id":1,"name":"a"}\n'], {}, 43n],
    ['nothing', [], {}, 0n],
    ['a last line without its end', [...LINES.slice(0, 41), '{"id":1,"name":"a"}'], {}, 41n],
  ] as const)('%s', async (_what, pieces, sent, received) => {
    const { client } = await startClient(exporting(pieces, sent));
    const error = await caught(client.export(LIST).then(idsOf));
    expect(error).toBeInstanceOf(IncompleteExportError);
    expect(error).toMatchObject({ received, total: 42n });
    const { body } = await client.exportFile(LIST, { format: 'jsonl' });
    await expect(text(body)).rejects.toMatchObject({ received, total: 42n });
  });

  it.each([
    ['a cut in a quoted field', [...CSV.slice(0, 8), '8,"City'], { end: cut }, 7n],
    ['an end in a quoted field', [...CSV.slice(0, 42), '42,"City\r\n'], {}, 41n],
    ['an end that comes too early', CSV.slice(0, 42), {}, 41n],
    ['nothing, not even the names', [], { total: '0' }, 0n],
  ] as const)('%s of CSV', async (_what, pieces, sent, received) => {
    const { client } = await startClient(exporting(pieces, { type: 'text/csv', ...sent }));
    const { body } = await client.exportFile(LIST, { format: 'csv' });
    const error = await caught(text(body));
    expect(error).toBeInstanceOf(IncompleteExportError);
    expect(error).toMatchObject({ received });
  });

  it('a Parquet file without its end', async () => {
    const type = 'application/vnd.apache.parquet';
    const pieces = ['PAR1', 'footer', '\u0006\0\0\0', 'PAR1'];
    const whole = await startClient(exporting(pieces, { type }));
    const { body, total } = await whole.client.exportFile(LIST, { format: 'parquet' });
    expect([await text(body), total]).toEqual([pieces.join(''), 42n]);
    expect(whole.server.requests[0]?.headers).toMatchObject({ accept: type });
    const { client } = await startClient(exporting(pieces.slice(0, 3), { type }));
    const file = await client.exportFile(LIST, { format: 'parquet' });
    await expect(text(file.body)).rejects.toMatchObject({ received: 0n, total: 42n });
  });

  it('a pause that is longer than an attempt may take', async () => {
    const silent = exporting(LINES.slice(0, 3), { end: () => undefined });
    const { client } = await startClient(silent, { timeoutMs: 200 });
    const error = await caught(client.export(LIST).then(idsOf));
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it.each([
    ['another type', exporting(LINES, { type: 'application/json' })],
    ['no total', exporting(LINES, { total: 'many' })],
    ['a record without an attribute', exporting(['{"id":1}\n'], { total: '1' })],
    ['a record with another one', exporting(['{"id":1,"name":"a","b":1}\n'], { total: '1' })],
    ['a line that is no record', exporting(['[]\n'], { total: '1' })],
    ['a line that is no JSON', exporting(['{"id":1\n'], { total: '1' })],
  ])('%s', async (_what, answer) => {
    const { client } = await startClient(answer);
    const error = await caught(client.export(LIST).then(idsOf));
    expect(error).toBeInstanceOf(InvalidReplyError);
  });
});

it.each([
  [{ format: 'xlsx' }, 'format: expected "jsonl", "csv" or "parquet"'],
  [{ format: 'jsonl', csvNull: 'NULL' }, 'csvNull, csvGuardFormulas: go with the format "csv"'],
  [{ format: 'csv', size: 10 }, 'size is no option of it'],
])('the options %j of a file are refused', async (options, message) => {
  const { client } = await startClient(exporting(LINES));
  const file = client.exportFile(LIST, options as ExportFileOptions);
  await expect(file).rejects.toThrow(message);
});
