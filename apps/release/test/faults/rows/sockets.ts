import assert from 'node:assert/strict';

import { itemsPage } from '../../support/ask.ts';
import { QUERY } from '../bodies.ts';
import { demandItems, demandReply } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { exchange, queryHead, statusesOf } from '../raw.ts';
import type { Service } from '../../support/service.ts';

/** Bytes that are no proper HTTP, come slowly, or are too many. */
export const SOCKETS: readonly FaultRow[] = [
  {
    name: 'slow heads and bodies',
    fault: 'heads and bodies that come byte by byte or never end, on 60 connections',
    expected:
      '408 or an end of the connection within seconds; other callers are answered meanwhile',
    run: async ({ serve }) => {
      const service = await serve();
      const head = 'POST /api/v1/dynamic/query HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';
      const stalled = [head, queryHead('Content-Length: 100') + '{"query'];
      const ends = Promise.all(
        Array.from({ length: 60 }, async (_, index) =>
          exchange(service.port, stalled[index % 2] ?? ''),
        ),
      );
      await demandItems(service);
      for (const text of await ends)
        assert.ok(
          [[408], []].some((seen) => String(seen) === String(statusesOf(text))),
          text,
        );
      await demandItems(service);
    },
  },
  {
    name: 'requests too long',
    fault: 'a body, a head and an address that are too long',
    expected: '413 or nothing, 431, and an error of 4xx, and an end of the connection',
    run: async ({ shared }) => {
      const service = await shared();
      const long = `${queryHead('Content-Length: 10000000000')}${QUERY}`;
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      const endless = `${queryHead('Transfer-Encoding: chunked')}${chunk.repeat(64)}`;
      // A reply is lost where the end of the connection overtakes it.
      for (const bytes of [long, endless])
        assert.match(String(statusesOf(await exchange(service.port, bytes))), /^(413)?$/);
      assert.deepEqual(
        statusesOf(await exchange(service.port, queryHead(`X-Long: ${'a'.repeat(30_000)}`))),
        [431],
      );
      const longPath = `/${'a'.repeat(30_000)}`;
      const address = `GET ${longPath} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
      assert.match(String(statusesOf(await exchange(service.port, address))), /^(414|431)$/);
      await demandItems(service);
    },
  },
  {
    name: 'content types',
    fault: 'content types that only look like JSON',
    expected: '415 and no query',
    run: async ({ shared }) => {
      const service = await shared();
      const types = [
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'application/jsonp',
        'multipart/form-data; boundary=x',
      ];
      for (const type of types)
        demandReply(
          await service.send(QUERY, { 'content-type': type }),
          415,
          'unsupported_media_type',
        );
      demandReply(
        await service.send(QUERY, { 'content-type': 'APPLICATION/JSON; charset="UTF-8"' }),
        200,
      );
    },
  },
  {
    name: 'ambiguous requests',
    fault: 'requests that two servers would read differently',
    expected: 'an error of 4xx or 501 and an end of the connection: no second request is read',
    run: async ({ shared }) => {
      const service = await shared();
      const both =
        queryHead('Content-Length: 4', 'Transfer-Encoding: chunked') +
        `0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n`;
      const twice = queryHead('Content-Length: 4', 'Content-Length: 5') + QUERY;
      const gzip = queryHead('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n';
      const bare = 'GET /livez HTTP/1.1\nHost: x\n\n';
      const folded = 'GET /livez HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n';
      for (const bytes of [both, twice, gzip, bare, folded]) await demandOneError(service, bytes);
      await demandItems(service);
    },
  },
  {
    name: 'pipelined requests',
    fault: 'eight requests on one connection without waiting for a reply',
    expected: 'eight replies in their order',
    run: async ({ shared }) => {
      const service = await shared();
      const requests = Array.from({ length: 8 }, (_, index) =>
        requestFor(index + 1, index === 7 ? 'close' : 'keep-alive'),
      );
      const text = await exchange(service.port, requests.join(''));
      assert.deepEqual(
        statusesOf(text),
        Array.from({ length: 8 }, () => 200),
      );
      const names = [...text.matchAll(/"name":"item (\d+)"/g)].map(([, number]) => Number(number));
      assert.deepEqual(
        names,
        Array.from({ length: 8 }, (_, index) => index + 1),
      );
    },
  },
];

/** A request for one item, as it is on the wire. */
function requestFor(item: number, connection: string): string {
  const body = JSON.stringify(itemsPage({ page: { page: item, size: 1 } }));
  return queryHead(`Content-Length: ${body.length}`, `Connection: ${connection}`) + body;
}

/** Demands one reply, of an error, and then the end. */
async function demandOneError(service: Service, bytes: string): Promise<void> {
  const text = await exchange(service.port, bytes);
  const statuses = statusesOf(text);
  assert.equal(
    statuses.length,
    1,
    `${JSON.stringify(bytes)} got ${statuses.join(', ') || 'nothing'}`,
  );
  const [status = 0] = statuses;
  assert.ok(
    (status >= 400 && status < 500) || status === 501,
    `${JSON.stringify(bytes)} got ${status}`,
  );
}
