import { describe, expect, it } from 'vitest';

import { cityQuery, listen, QUERY_PATH, sharedService, TOKEN, present } from './helper.ts';
import { rawExchange, rawReply, readReplies } from './raw-http.ts';

const service = await sharedService();
const port = await listen(service.app);

const HEAD = `POST ${QUERY_PATH} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const CLOSE = 'Connection: close\r\n';

/** The rest of a request: the body with its length. */
function withBody(page = 1): string {
  const body = JSON.stringify(cityQuery(page, 1, ['id']));
  return `Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** A query in one chunk. */
const CHUNKS = (() => {
  const body = JSON.stringify(cityQuery(1, 1));
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
})();

describe('bytes that are no HTTP request are a bad_request', () => {
  it.each([
    ['no request line', 'NONSENSE\r\n\r\n'],
    ['another version', 'GET /livez HTTP/3.0\r\nHost: test\r\n\r\n'],
    ['a TLS hello', Buffer.from('160301020001000', 'hex')],
    ['lines that end in a bare LF', 'GET /livez HTTP/1.1\nHost: test\n\n'],
    ['a space before the colon', 'GET /livez HTTP/1.1\r\nHost : test\r\n\r\n'],
    ['a NUL in a header', 'GET /livez HTTP/1.1\r\nHost: test\r\nX: a\0b\r\n\r\n'],
    [
      'Transfer-Encoding beside Content-Length',
      `${HEAD}Transfer-Encoding: chunked\r\n${withBody()}`,
    ],
    [
      'Content-Length beside Transfer-Encoding',
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'transfer coding chunked twice',
      `${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n${CHUNKS}`,
    ],
    ['transfer coding identity', `${HEAD}Transfer-Encoding: identity\r\n\r\n${CHUNKS}`],
    [
      'a transfer coding in HTTP/1.0',
      `${HEAD.replace('HTTP/1.1', 'HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    ],
    ['a request line without a version', 'GET /livez\r\n\r\n'],
    ['two content lengths', `${HEAD}Content-Length: 1\r\n${withBody()}`],
    ['a content length that is no number', `${HEAD}Content-Length: 0x10\r\n\r\n`],
    ['a body that is longer than it says', `${HEAD}Content-Length: 0\r\n\r\n{"a":1}\r\n\r\n`],
  ])('%s', async (_what, bytes) => {
    const replies = readReplies(await rawExchange(port, bytes));
    const last = present(replies.at(-1));
    expect(last).toBeProblem('bad_request');
    expect(last.headers['connection']).toBe('close');
  });

  it.each([
    ['no Host', HEAD.replace('Host: test\r\n', '')],
    ['two Hosts', `${HEAD}Host: other\r\n`],
    ['two tokens', `${HEAD}Authorization: Bearer other\r\n`],
    ['two content types', `${HEAD}content-type: text/plain\r\n`],
  ])('nor is one with %s', async (_what, head) => {
    expect(await rawReply(port, head + CLOSE + withBody())).toBeProblem('bad_request');
  });
});

describe('a request that is too large', () => {
  it.each([
    ['a header of 20 KB', `GET /livez HTTP/1.1\r\nHost: test\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      '3,000 headers',
      `GET /livez HTTP/1.1\r\nHost: test\r\n${'X-Y: 1234567890\r\n'.repeat(3000)}\r\n`,
    ],
  ])('in its head is headers_too_large: %s', async (_what, bytes) => {
    expect(await rawReply(port, bytes)).toBeProblem('headers_too_large');
  });

  it('in the length that it announces is body_too_large before the body is there', async () => {
    const reply = await rawReply(port, `${HEAD}Content-Length: 10000000000\r\n\r\n{`);
    expect(reply).toBeProblem('body_too_large');
    expect(reply.headers['connection']).toBe('close');
  });

  it('in chunks without end is body_too_large at the limit', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    expect(
      await rawReply(port, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`),
    ).toBeProblem('body_too_large');
  });
});

describe('a request in an unusual form that HTTP allows', () => {
  it.each([
    ['an absolute URI', HEAD.replace('POST /', 'POST http://other.example/')],
    ['an expectation of 100-continue', `${HEAD}Expect: 100-continue\r\n`],
    ['an unknown expectation', `${HEAD}Expect: the-unexpected\r\n`],
    ['an offer to upgrade', HEAD + 'Upgrade: h2c\r\n'],
    ['empty lines before it', `\r\n\r\n${HEAD}`],
    ['header names in any case', HEAD.replace('Content-Type', 'cOnTeNt-TyPe')],
    ['version 1.0', HEAD.replace('HTTP/1.1', 'HTTP/1.0')],
  ])('is answered: %s', async (_what, head) => {
    const text = await rawExchange(port, head + CLOSE + withBody());
    const [reply] = readReplies(text.replace('HTTP/1.1 100 Continue\r\n\r\n', ''));
    expect(reply).toMatchObject({ statusCode: 200, body: expect.stringContaining('"total":"42"') });
  });

  it('is answered: a body in chunks of one byte', async () => {
    const chunks = Array.from(
      JSON.stringify(cityQuery(1, 1)),
      (letter) => `1\r\n${letter}\r\n`,
    ).join('');
    const reply = await rawReply(
      port,
      `${HEAD}${CLOSE}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(reply.statusCode).toBe(200);
  });

  it('is not_found for OPTIONS of everything', async () => {
    expect(await rawReply(port, `OPTIONS * HTTP/1.1\r\nHost: test\r\n${CLOSE}\r\n`)).toBeProblem(
      'not_found',
    );
  });

  it.each(['chunked', 'CHUNKED'])(
    'is answered: a body in the transfer coding %s',
    async (coding) => {
      expect(
        await rawReply(port, `${HEAD}${CLOSE}Transfer-Encoding: ${coding}\r\n\r\n${CHUNKS}`),
      ).toMatchObject({
        statusCode: 200,
      });
    },
  );
});

describe('what the service does not implement is not_implemented, and closes the connection', () => {
  it.each([
    ['a body in gzip and chunked', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`],
    ['a tunnel', 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const reply = await rawReply(port, bytes);
    expect(reply).toBeProblem('not_implemented');
    expect(reply.headers['connection']).toBe('close');
  });
});

describe('many requests on one connection', () => {
  it('are answered in their order, the wrong among them too', async () => {
    const pages = [1, 2, 3, 4, 5, 6];
    const requests = pages.map((page) => HEAD + withBody(page)).join('');
    const wrong = `${HEAD}Content-Length: 2\r\n\r\n[]`;
    const last = `GET /livez HTTP/1.1\r\nHost: test\r\n${CLOSE}\r\n`;
    const replies = readReplies(await rawExchange(port, requests + wrong + last));
    expect(replies).toHaveLength(8);
    for (const page of pages) {
      expect(JSON.parse(replies[page - 1]?.body ?? '')).toMatchObject({
        result: [{ id: String(page) }],
        page: { page: String(page) },
      });
    }
    expect(present(replies[6])).toBeProblem('invalid_type');
    expect(replies[7]?.body).toBe('{"status":"live"}');
  });

  it('do not mix: a body is never read as the next request', async () => {
    const smuggled = `GET /readyz HTTP/1.1\r\nHost: test\r\n\r\n`;
    expect(
      await rawReply(port, `${HEAD}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`),
    ).toBeProblem('malformed_json');
  });
});
