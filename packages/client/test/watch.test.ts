import { createClient, ProblemError } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { TOKEN } from './contract-service.ts';
import { freeMemory } from './free-memory.ts';
import { type Answer, hangUp, inTurn, json, serve } from './http-server.ts';

const LIST = { model: 'cities', attributes: ['id'] } as const;

const HEADERS = { 'content-type': 'text/event-stream' };

/** Answers with these pieces of text, and leaves the reply open, or breaks it off. */
function sending(pieces: readonly string[], end: 'open' | 'broken' | 'ended' = 'open'): Answer {
  return (_request, response) => {
    response.writeHead(200, HEADERS);
    for (const piece of pieces) response.write(piece);
    if (end === 'ended') response.end();
    if (end === 'broken') setTimeout(() => response.destroy(), 50);
  };
}

function event(id: string, data: object, name = 'list'): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function start(answer: Answer) {
  const server = await serve(answer);
  const client = createClient({ baseUrl: server.url, token: TOKEN, retries: 0 });
  return { server, client };
}

describe('a watched list', () => {
  it('has its states as they come, in whatever pieces', async () => {
    const text = `:\n\n${event('a', { total: '42', version: 'v1' })}${event('b', { total: '43' })}`;
    const { client, server } = await start(sending([text.slice(0, 30), text.slice(30)]));
    const states = [];
    for await (const state of client.watch(LIST, { everyMs: 500 })) {
      states.push(state);
      if (states.length === 2) break;
    }
    expect(states).toEqual([
      { total: 42n, totalAtLeast: null, dataVersion: 'v1' },
      { total: 43n, totalAtLeast: null, dataVersion: null },
    ]);
    const { path, headers, body } = server.requests[0] ?? {};
    expect([path, headers?.['accept']]).toEqual(['/api/v1/dynamic/watch', 'text/event-stream']);
    expect(JSON.parse(body ?? '')).toEqual({
      query_model: 'cities',
      query_attributes: ['id'],
      watch_every_ms: 500,
    });
  });

  it('is watched again with its last event after the reply has broken off, has ended, or the service was away', async () => {
    const { client, server } = await start(
      inTurn(
        sending([event('a', { total: '1' })], 'broken'),
        hangUp,
        sending([event('b', { total: '2' })], 'ended'),
        sending([event('c', { total: '3' })]),
      ),
    );
    const totals = [];
    for await (const { total } of client.watch(LIST)) {
      totals.push(total);
      if (totals.length === 3) break;
    }
    expect(totals).toEqual([1n, 2n, 3n]);
    const sent = server.requests.map(({ headers }) => headers['last-event-id']);
    expect(sent).toEqual([undefined, 'a', 'a', 'b']);
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [501, 'not_watchable'],
  ])(
    'ends with a problem of status %i, before its first state or after it',
    async (status, code) => {
      const document = { type: 'a', title: 'b', status, detail: 'c', code, request_id: 'd' };
      const refused = await start(json(document, status));
      const first = refused.client.watch(LIST)[Symbol.asyncIterator]();
      await expect(first.next()).rejects.toMatchObject({ status, code });
      const ending = await start(
        sending([event('a', { total: '1' }), event('b', document, 'problem')], 'ended'),
      );
      const later = ending.client.watch(LIST)[Symbol.asyncIterator]();
      await later.next();
      await expect(later.next()).rejects.toBeInstanceOf(ProblemError);
      expect(ending.server.requests).toHaveLength(1);
    },
  );

  it('ends with its signal', async () => {
    const { client } = await start(sending([event('a', { total: '1' })]));
    const leaving = new AbortController();
    const states = client.watch(LIST, { signal: leaving.signal })[Symbol.asyncIterator]();
    await states.next();
    const next = states.next();
    leaving.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('ends with its signal after memory was freed, with which Node forgets the signal of a request', async () => {
    const { client, server } = await start(sending([event('a', { total: '1' })]));
    const leaving = new AbortController();
    const states = client.watch(LIST, { signal: leaving.signal })[Symbol.asyncIterator]();
    await states.next();
    const next = states.next();
    await freeMemory();
    leaving.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('is refused at once where an option is wrong', async () => {
    const { client } = await start(json({}));
    expect(() => client.watch(LIST, { everyMs: 99 })).toThrow(RangeError);
    // @ts-expect-error -- a list that is watched has no pages
    expect(() => client.watch({ ...LIST, size: 10 })).toThrow(TypeError);
  });
});
