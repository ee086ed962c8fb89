import { API_PATHS } from '@proj/contract';
import * as fc from 'fast-check';

import { TOKEN } from '../support/service.ts';
import { bodyFor, type FuzzTarget } from './bodies.ts';

/** Bytes to send, and what is to be made of what comes back. */
export interface FuzzRequest {
  /** How it was made. */
  readonly kind: 'body' | 'head' | 'bytes';
  /** Latin-1 text: a byte for each character. */
  readonly bytes: string;
  readonly method: string;
  /** What is to come back where the request is in order; undefined where that may be anything. */
  readonly target?: FuzzTarget;
}

const QUERY = `/${API_PATHS.query}`;
const FACETS = `/${API_PATHS.facets}`;
const EXPORT = `/${API_PATHS.export}`;

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'];
const ODD_METHODS = ['CONNECT', 'PROPFIND', 'get', 'FOO', 'GET\t', ''];

const PATHS = [
  '/',
  QUERY,
  FACETS,
  EXPORT,
  '/api/v1/dynamic/models',
  '/api/v1/dynamic/models/items',
  '/openapi.json',
  '/openapi-3.0.json',
  '/openapi-3.2.json',
  '/reference',
  '/livez',
  '/readyz',
  '/problems/not_found',
];

const ODD_PATHS = [
  '*',
  '',
  '//',
  '/%',
  '/%ff',
  '/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd',
  `${QUERY}/`,
  `${QUERY}?a=%zz&a=b`,
  `${QUERY}#x`,
  'http://elsewhere/livez',
  'elsewhere:443',
  '/api/v1/dynamic/models/%F0%9F%98%80',
  `/api/v1/dynamic/models/${'x'.repeat(3000)}`,
  `/${'a/'.repeat(2000)}`,
];

const HEADERS = [
  'Accept: */*',
  'Accept: text/html;q=0.9, application/json;q=0',
  'Accept: ;;;,,,',
  'Accept-Encoding: gzip, br;q=0',
  'Authorization: Bearer',
  'Authorization: Basic eDp5',
  `Authorization: Bearer ${'x'.repeat(5000)}`,
  'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: application/json; charset="',
  'Content-Type: multipart/form-data; boundary=x',
  'Cookie: a=b; __proto__=c',
  'Expect: 100-continue',
  'Expect: something',
  'Host: elsewhere',
  'If-None-Match: *',
  'If-None-Match: "x", W/"y"',
  'Origin: null',
  'Range: bytes=0-1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 3',
  'Content-Length: -1',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'X-Forwarded-For: 1.2.3.4, ::1, x',
  'X-HTTP-Method-Override: DELETE',
  'X-Request-Id: a b',
  `X-Request-Id: ${'9'.repeat(300)}`,
  'traceparent: 00-0-0-0',
  'traceparent: ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'X-Empty:',
  ': nothing',
  'X Y: 1',
  ' folded',
];

const AUTHORIZED = `Authorization: Bearer ${TOKEN}`;
const JSON_TYPE = 'Content-Type: application/json';

/** What usual clients ask for, and of which type the reply is to be. */
const USUAL = [
  { target: 'query', path: QUERY, accept: 'application/json', weight: 6 },
  { target: 'facets', path: FACETS, accept: 'application/json', weight: 2 },
  { target: 'export', path: EXPORT, accept: 'application/jsonl', weight: 1 },
  { target: 'export', path: EXPORT, accept: 'text/csv', weight: 1 },
] as const;

/** A request whose body is anything, as a usual client sends it. */
const bodyRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...USUAL.flatMap(({ target, path, accept, weight }) =>
    (['POST', 'QUERY'] as const).map((method) => ({
      weight: method === 'POST' ? weight * 3 : weight,
      arbitrary: bodyFor(target).map((bytes): FuzzRequest => {
        const text = Buffer.from(bytes).toString('latin1');
        const length = `Content-Length: ${text.length}`;
        const line = `${method} ${path} HTTP/1.1`;
        const head = [line, 'Host: 127.0.0.1', AUTHORIZED, JSON_TYPE, `Accept: ${accept}`, length];
        return { kind: 'body', method, target, bytes: `${head.join('\r\n')}\r\n\r\n${text}` };
      }),
    })),
  ),
);

function mostly(usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const headerByte = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HEADERS) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: headerByte, maxLength: 40 }).map((text) => `X-Odd: ${text}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: headerByte, minLength: 1, maxLength: 40 }) },
);

/** A head of which each part may be something else. */
const headRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: mostly(METHODS, ODD_METHODS),
    path: mostly(PATHS, ODD_PATHS),
    version: mostly(['HTTP/1.1'], ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1']),
    usual: fc.subarray(['Host: 127.0.0.1', AUTHORIZED, JSON_TYPE]),
    odd: fc.array(header, { maxLength: 4 }),
    text: fc.option(bodyFor('query'), { nil: undefined, freq: 3 }),
  })
  .map(({ method, path, version, usual, odd, text }) => {
    const content = text === undefined ? '' : Buffer.from(text).toString('latin1');
    const length = text === undefined ? [] : [`Content-Length: ${content.length}`];
    const lines = [
      `${method} ${path} ${version}`,
      ...usual,
      ...odd,
      ...length,
      'Connection: close',
    ];
    return { kind: 'head', method, bytes: `${lines.join('\r\n')}\r\n\r\n${content}` };
  });

const byteRequest: fc.Arbitrary<FuzzRequest> = fc
  .uint8Array({ minLength: 1, maxLength: 500 })
  .map((bytes) => ({ kind: 'bytes', method: '', bytes: Buffer.from(bytes).toString('latin1') }));

/** Anything that can be sent to the service. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 16, arbitrary: bodyRequest },
  { weight: 3, arbitrary: headRequest },
  { weight: 1, arbitrary: byteRequest },
);
