import { ProblemError } from '@proj/client';
import { describe, expect, it, vi } from 'vitest';

import { freeMemory } from './free-memory.ts';
import { type Answer, json } from './http-server.ts';
import { startClient } from './start-client.ts';
import { withClock } from './with-clock.ts';

const LIST = { model: 'cities', attributes: ['id'] } as const;

const HEADERS = { 'content-type': 'text/event-stream' };

/** Answers with these pieces of text, and leaves the reply open, or ends it. */
function sending(pieces: readonly string[], end: 'open' | 'ended' = 'open'): Answer {
  return (_request, response) => {
    response.writeHead(200, HEADERS);
    for (const piece of pieces) response.write(piece);
    if (end === 'ended') response.end();
  };
}

function event(id: string, data: object, name = 'list'): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A reply of events that the test ends. */
function openReply() {
  const { readable, writable } = new TransformStream<string, string>(
    undefined,
    new CountQueuingStrategy({ highWaterMark: 9 }),
  );
  const writer = writable.getWriter();
  return {
    response: new Response(readable.pipeThrough(new TextEncoderStream()), { headers: HEADERS }),
    send: (text: string) => void writer.write(text),
    end: () => void writer.close(),
    breakOff: () => void writer.abort(new Error('broken off')),
  };
}

describe('a watched list', () => {
  it('has its states as they come, in whatever pieces', async () => {
    const unversioned = event('b', { total: '43', checked_every_ms: 10_000 });
    const text = `:\n\n${event('a', { total: '42', version: 'v1' })}${unversioned}`;
    const { client, server } = await startClient(sending([text.slice(0, 30), text.slice(30)]));
    const states = [];
    for await (const state of client.watch(LIST, { everyMs: 500 })) {
      states.push(state);
      if (states.length === 2) break;
    }
    expect(states).toEqual([
      { total: 42n, totalAtLeast: null, dataVersion: 'v1', checkedEveryMs: null },
      { total: 43n, totalAtLeast: null, dataVersion: null, checkedEveryMs: 10_000 },
    ]);
    const { path, headers, body } = server.requests[0] ?? {};
    expect([path, headers?.['accept']]).toEqual(['/api/v1/dynamic/watch', 'text/event-stream']);
    expect(JSON.parse(body ?? '')).toEqual({
      query_model: 'cities',
      query_attributes: ['id'],
      watch_every_ms: 500,
    });
  });

  it('is watched again with its last event, if it has one, after the reply has broken off, has ended, or the service was away', async () => {
    const replies = Array.from({ length: 4 }, () => openReply());
    const [early, broken, ended, last] = replies;
    const answers = [early, broken, undefined, ended, last];
    const sent: (string | null)[] = [];
    const { client } = withClock(({ headers }) => {
      sent.push(headers.get('last-event-id'));
      const reply = answers[sent.length - 1];
      if (reply === undefined) throw new TypeError('fetch failed');
      return reply.response;
    });
    const states = client.watch(LIST)[Symbol.asyncIterator]();
    const nextTotal = async () => {
      const next = states.next();
      // The waits before the attempts to come back, which double.
      await vi.advanceTimersByTimeAsync(500 + 1000);
      return (await next).value?.total;
    };
    const eventful = replies.slice(1);
    eventful.forEach(({ send }, index) => send(event('abc'[index] ?? '', { total: `${index}` })));
    early?.breakOff();
    expect(await nextTotal()).toBe(0n);
    broken?.breakOff();
    expect(await nextTotal()).toBe(1n);
    ended?.end();
    expect(await nextTotal()).toBe(2n);
    expect(sent).toEqual([null, null, 'a', 'a', 'b']);
  });

  it('stays where a request may take less time than the service leaves between two comments', async () => {
    const reply = openReply();
    const { client, fetch } = withClock(() => reply.response, { timeoutMs: 5000 });
    const states = client.watch(LIST)[Symbol.asyncIterator]();
    reply.send(event('a', { total: '1' }));
    await states.next();
    const next = states.next();
    for (let comment = 0; comment < 4; comment++) {
      await vi.advanceTimersByTimeAsync(15_000);
      reply.send(':\n\n');
    }
    reply.send(event('b', { total: '2' }));
    expect((await next).value?.total).toBe(2n);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('is watched again soon after each reply that has lasted, though the list has not changed', async () => {
    const replies = Array.from({ length: 9 }, () => openReply());
    const left = replies.values();
    const { client, fetch } = withClock(() => left.next().value?.response ?? new Response());
    const states = client.watch(LIST)[Symbol.asyncIterator]();
    replies[0]?.send(event('a', { total: '1' }));
    await states.next();
    const next = states.next();
    for (const [index, reply] of replies.slice(0, -1).entries()) {
      for (let comment = 0; comment < 3; comment++) {
        await vi.advanceTimersByTimeAsync(15_000);
        reply.send(':\n\n');
      }
      reply.end();
      await vi.advanceTimersByTimeAsync(500);
      expect(fetch).toHaveBeenCalledTimes(index + 2);
    }
    replies.at(-1)?.send(event('b', { total: '2' }));
    expect((await next).value?.total).toBe(2n);
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [501, 'not_implemented'],
  ])(
    'ends with a problem of status %i, before its first state or after it',
    async (status, code) => {
      const document = { type: 'a', title: 'b', status, detail: 'c', code, request_id: 'd' };
      const refused = await startClient(json(document, status));
      const first = refused.client.watch(LIST)[Symbol.asyncIterator]();
      await expect(first.next()).rejects.toMatchObject({ status, code });
      const ending = await startClient(
        sending([event('a', { total: '1' }), event('b', document, 'problem')], 'ended'),
      );
      const later = ending.client.watch(LIST)[Symbol.asyncIterator]();
      await later.next();
      await expect(later.next()).rejects.toBeInstanceOf(ProblemError);
      expect(ending.server.requests).toHaveLength(1);
    },
  );

  it('ends with its signal after memory was freed, with which Node forgets the signal of a request', async () => {
    const { client, server } = await startClient(sending([event('a', { total: '1' })]));
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
    const { client } = await startClient(json({}));
    expect(() => client.watch(LIST, { everyMs: 99 })).toThrow(RangeError);
    // @ts-expect-error -- a list that is watched has no pages
    expect(() => client.watch({ ...LIST, size: 10 })).toThrow(TypeError);
  });
});
