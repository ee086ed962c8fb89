import { expect, it } from 'vitest';

import { readReplies } from './replies.ts';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const NEXT = 'HTTP/1.1 204 No Content\r\n\r\n';

it('reads replies of a declared length one after the other', () => {
  const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab';
  const { replies, rest } = readReplies(sized + NEXT, 'POST');
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [200, 'ab'],
    [204, ''],
  ]);
  expect(rest).toBe('');
});

it.each([
  ['without trailers', '2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'],
  ['with trailers', '3\r\nabc\r\n0\r\nExport-Count: 1\r\nA: b\r\n\r\n'],
])('reads a reply that comes in chunks, %s', (_what, chunks) => {
  const { replies, rest } = readReplies(CHUNKED + chunks + NEXT, 'POST');
  expect(replies.map(({ body }) => body)).toEqual(['abc', '']);
  expect(rest).toBe('');
});

it.each(['', '2\r\na', '2\r\nab\r\n', '2\r\nab\r\n0\r\n', '2\r\nab\r\n0\r\nA: b\r\n'])(
  'takes a reply whose last chunk has not come for a part: %j',
  (chunks) => {
    expect(readReplies(CHUNKED + chunks, 'POST')).toEqual({ replies: [], rest: CHUNKED + chunks });
  },
);
