import { type InjectOptions } from 'fastify';
import { API_PATHS } from '@proj/contract';
import { type Engine, InvalidPositionError, type ListWatch, QueryFailedError } from '@proj/engine';
import { HttpProblem } from '@proj/fastify/host';

import {
  listen,
  MODELS_PATH,
  present,
  QUERY_PATH,
  type Service,
  sharedService,
  TOKEN,
} from '../helper.ts';
import { openShop, SHOP_ROLES, sha256 } from '../owasp/shop.ts';
import type { Reply } from '../problem.ts';
import { rawReply } from '../raw-http.ts';
import { OPERATIONS } from './document.ts';
import {
  EXAMPLE_SETTINGS,
  EXAMPLE_SQL,
  exampleFacets,
  exampleQuery,
  FAULTS_OF_TWO_KINDS,
  WRONG_FACETS,
  WRONG_FACETS_OF_ANY_KIND,
  WRONG_QUERIES,
} from './wrong-queries.ts';

/** A reply of the service to a request for an operation of the document. */
export interface Provoked {
  readonly operation: string;
  readonly reply: Reply;
}

const POST = `POST ${QUERY_PATH}`;
const QUERY = `QUERY ${QUERY_PATH}`;
const QUERIES = [POST, QUERY];
const FACETS = ['POST', 'QUERY'].map((method) => `${method} /${API_PATHS.facets}`);
const EXPORT_PATH = '/api/v1/dynamic/export';
const EXPORTS = [`POST ${EXPORT_PATH}`, `QUERY ${EXPORT_PATH}`];
const WATCHES = ['POST', 'QUERY'].map((method) => `${method} /${API_PATHS.watch}`);
/** The operations that have a body. */
const WITH_BODY = [...QUERIES, ...EXPORTS, ...FACETS, ...WATCHES];
const MODELS = `GET ${MODELS_PATH}`;
const MODEL = `GET ${MODELS_PATH}/{name}`;

/** The operations that ask for a token. */
const WITH_TOKEN = [...WITH_BODY, MODELS, MODEL];

type Inject = (options: InjectOptions) => Promise<Reply>;

/** A request for an operation, as the document shows it. */
function requestFor(
  operation: string,
  headers: Readonly<Record<string, string>> = {},
): InjectOptions {
  const { method, url } = target(operation);
  if (!WITH_BODY.includes(operation)) return { method, url, headers };
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(bodyFor(operation)),
  };
}

/** The body of an operation, as the document shows it. */
function bodyFor(operation: string): object {
  if (FACETS.includes(operation)) return exampleFacets();
  return bodyOf(operation, exampleQuery());
}

/** The body of a query as that of another operation over the same list. */
function bodyOf(operation: string, query: object): object {
  if (EXPORTS.includes(operation)) return listOf({ ...query });
  return WATCHES.includes(operation) ? wholeOf({ ...query }) : query;
}

/** A query as an export, which has no page. */
function listOf({ page: _page, query_total: _total, ...list }: Record<string, unknown>): object {
  return list;
}

/** A query as a watch, which has no page. */
function wholeOf({ page: _page, ...list }: Record<string, unknown>): object {
  return list;
}

/** A watch that ends with its first event, so that its reply is a whole one. */
const ENDING: Partial<Engine> = {
  async watch(this: Engine, ...asked) {
    const watch = await this.watch(...asked);
    const follow: ListWatch['follow'] = async (take) => void (await take(watch.first));
    return { ...watch, follow };
  },
};

function target(operation: string): { method: 'GET' | 'POST' | 'QUERY'; url: string } {
  const [method, path = ''] = operation.split(' ');
  const url = path.replace('{name}', 'cities').replace('{code}', 'internal');
  return { method: method === 'POST' || method === 'QUERY' ? method : 'GET', url };
}

/** A service over the example, whose watches end; for the tests of one file. */
export function exampleService(): Promise<Service> {
  return sharedService({ sql: EXAMPLE_SQL, settings: EXAMPLE_SETTINGS, stub: ENDING });
}

/** Every operation as it should go, and again with the ETag of the first reply. */
export async function successes({ app }: Service): Promise<Provoked[]> {
  const provoked: Provoked[] = [];
  for (const operation of OPERATIONS.keys()) {
    const authorization = `Bearer ${TOKEN}`;
    const reply = await app.inject(requestFor(operation, { authorization }));
    provoked.push({ operation, reply });
    const etag = reply.headers.etag;
    if (etag === undefined) continue;
    provoked.push({
      operation,
      reply: await app.inject(requestFor(operation, { authorization, 'if-none-match': etag })),
    });
  }
  return provoked;
}

/** Requests that are at error. */
export async function refusals({ app }: Service): Promise<Provoked[]> {
  const authorization = `Bearer ${TOKEN}`;
  const json = { authorization, 'content-type': 'application/json' };
  const send = async (
    payload: string | Buffer,
    headers: Readonly<Record<string, string>> = json,
    operations: readonly string[] = WITH_BODY,
  ): Promise<Provoked[]> =>
    each(operations, (operation) => ({ ...target(operation), headers, payload }));
  const sendQuery = async (query: object): Promise<Provoked[]> =>
    each([...QUERIES, ...EXPORTS, ...WATCHES], (operation) => {
      const payload = JSON.stringify(bodyOf(operation, query));
      return { ...target(operation), headers: json, payload };
    });
  const each = (
    operations: Iterable<string>,
    options: (operation: string) => InjectOptions,
  ): Promise<Provoked[]> =>
    Promise.all(
      [...operations].map(async (operation) => ({
        operation,
        reply: await app.inject(options(operation)),
      })),
    );
  const long = (operation: string): InjectOptions => ({
    url: target(operation).url.replace(/[^/]+$/, 'a'.repeat(1025)),
    headers: json,
  });
  return [
    ...(
      await Promise.all(
        [...Object.values(WRONG_QUERIES), FAULTS_OF_TWO_KINDS].map((query) => sendQuery(query)),
      )
    ).flat(),
    ...(
      await Promise.all(
        [...Object.values(WRONG_FACETS), ...WRONG_FACETS_OF_ANY_KIND].map((body) =>
          send(JSON.stringify(body), json, FACETS),
        ),
      )
    ).flat(),
    ...(await send('{')),
    ...(await send('{"page":1,"page":2}')),
    ...(await send('['.repeat(50) + ']'.repeat(50))),
    ...(await send(Buffer.from([0x22, 0xff, 0x22]))),
    ...(await send('"'.padEnd(70_000, 'a'))),
    ...(await send('{}', { authorization, 'content-type': 'text/plain' })),
    ...(await each(EXPORTS, (operation) => ({
      ...requestFor(operation, json),
      payload: JSON.stringify({ ...listOf({ ...exampleQuery() }), export_csv: {} }),
    }))),
    ...(await each(WATCHES, (operation) => ({
      ...requestFor(operation, json),
      payload: JSON.stringify(wholeOf({ ...exampleQuery({ watch_every_ms: 1 }) })),
    }))),
    ...(await send(JSON.stringify(listOf({ ...exampleQuery({ query_attributes: 'name' }) })))),
    ...(await sendQuery(exampleQuery({ query_model: 'citys', query_attributes: [] }))),
    ...(await send('{}')),
    ...(await tooLarge()),
    ...(await withoutKey()),
    ...(await each(WITH_TOKEN, (operation) => requestFor(operation))),
    ...(await each(WITH_TOKEN, (operation) =>
      requestFor(operation, { authorization, accept: 'text/html' }),
    )),
    ...(await each(OPERATIONS.keys(), (operation) => ({
      method: 'DELETE',
      url: target(operation).url,
    }))),
    ...(await each([MODEL, 'GET /problems/{code}'], long)),
    ...(await each([MODEL, 'GET /problems/{code}'], (operation) => ({
      ...long(operation),
      url: target(operation).url + 'x',
    }))),
  ];
}

function tooLarge(): Promise<Provoked[]> {
  const settings = { ...EXAMPLE_SETTINGS, maxReplyBytes: 2 };
  return refusedWith(settings, { page: 1, size: 3 });
}

function withoutKey(): Promise<Provoked[]> {
  const settings = { models: { cities: { attributes: { id: { hidden: true } } } } };
  return refusedWith(settings, { containing: { id: '17' }, size: 3 });
}

async function refusedWith(settings: object, page: object): Promise<Provoked[]> {
  const { app } = await sharedService({ sql: EXAMPLE_SQL, settings });
  const payload = JSON.stringify(exampleQuery({ page }));
  return Promise.all(
    [...QUERIES, ...FACETS].map(async (operation) => {
      const options = requestFor(operation, { authorization: `Bearer ${TOKEN}` });
      const isQuery = !FACETS.includes(operation);
      return { operation, reply: await app.inject({ ...options, ...(isQuery && { payload }) }) };
    }),
  );
}

/** What HTTP itself refuses, over a socket. */
export async function brokenHttp({ app }: Service): Promise<Provoked[]> {
  const port = await listen(app);
  const exchanges = [...OPERATIONS.keys()].flatMap((operation) => {
    const { method, url } = target(operation);
    const start = `${method} ${url} HTTP/1.1\r\nConnection: close\r\n`;
    const texts = [
      `${start}\r\n`,
      `${start}Host: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      `${start}Host: a\r\n`,
      `${start}Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ];
    return texts.map(async (text) => ({ operation, reply: await rawReply(port, text) }));
  });
  const old = EXPORTS.map(async (operation) => {
    const { method, url } = target(operation);
    const type = 'Content-Type: application/json\r\nContent-Length: 2';
    const head = `Host: a\r\nAuthorization: Bearer ${TOKEN}\r\n${type}`;
    const text = `${method} ${url} HTTP/1.0\r\n${head}\r\n\r\n{}`;
    return { operation, reply: await rawReply(port, text) };
  });
  return Promise.all([...exchanges, ...old]);
}

/** What the service cannot help. */
export async function failures(over: Service): Promise<Provoked[]> {
  let failure: unknown;
  const fail = (): Promise<never> => Promise.reject(failure);
  const { app } = await sharedService({
    over,
    stub: {
      query: fail,
      export: fail,
      facets: fail,
      watch: fail,
      ping: fail,
      get catalogue(): never {
        throw failure;
      },
    },
  });
  const inject: Inject = (options) => app.inject(options);
  const provoked: Provoked[] = [];
  const provoke = async (cause: unknown, operations: readonly string[]): Promise<void> => {
    failure = cause;
    for (const operation of operations) {
      provoked.push({
        operation,
        reply: await inject(requestFor(operation, { authorization: `Bearer ${TOKEN}` })),
      });
    }
  };
  await provoke(new Error('An error.'), [...WITH_TOKEN, 'GET /readyz']);
  await provoke(new HttpProblem('claim_missing', 'An error.'), WITH_TOKEN);
  for (const code of [
    'overloaded',
    'model_unavailable',
    'model_unreadable',
    'no_common_state',
    'session_refused',
    'policy_failed',
    'data_error',
  ] as const) {
    await provoke(new QueryFailedError(code, 'An error.'), WITH_BODY);
  }
  await provoke(new InvalidPositionError('An error.'), [...QUERIES, ...FACETS]);
  for (const code of ['database_unavailable', 'shutting_down', 'query_timeout'] as const) {
    await provoke(new QueryFailedError(code, 'An error.'), [...WITH_BODY, 'GET /readyz']);
  }
  return provoked;
}

const LIMITED = 'rate_limits: { requests_per_minute: 1 }\n';
const RATIONED = 'rate_limits: { rows_per_day: 1 }\n';
const UNREACHABLE_ISSUER = `jwt: [{ issuer: 'http://127.0.0.1:1/', audience: a, jwks_url: 'http://127.0.0.1:1/keys', roles: { a: clerk } }]\n`;

/** What tokens may not. */
export async function limits(): Promise<Provoked[]> {
  const lost = `${SHOP_ROLES}  - { name: lost, role: clerk, sha256: ${sha256('lost-token')} }\n`;
  const limited = await openShop({ settings: lost + LIMITED });
  const rationed = lost + RATIONED + UNREACHABLE_ISSUER;
  const shops = { limited, rationed: await openShop({ over: limited, settings: rationed }) };
  const provoke = (
    shop: keyof typeof shops,
    token: string,
    operations: readonly string[],
  ): Promise<Provoked[]> =>
    Promise.all(
      operations.map(async (operation) => ({
        operation,
        reply: await present(shops[shop]).app.inject(
          requestFor(operation, { authorization: `Bearer ${token}` }),
        ),
      })),
    );
  await shops.limited.get('audit-token', MODELS_PATH);
  await shops.rationed.ask('audit-token');
  return [
    ...(await provoke('limited', 'audit-token', WITH_TOKEN)),
    ...(await provoke('rationed', 'audit-token', WITH_BODY)),
    ...(await provoke('rationed', 'lost-token', WITH_TOKEN)),
    ...(await provoke('rationed', unsignedJwt(), WITH_TOKEN)),
  ];
}

function unsignedJwt(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'http://127.0.0.1:1/',
    aud: 'a',
    sub: 'x',
    roles: ['a'],
    iat: now,
    exp: now + 600,
  };
  return `${base64Json({ alg: 'RS256', kid: 'k', typ: 'JWT' })}.${base64Json(claims)}.${Buffer.alloc(256).toString('base64url')}`;
}

function base64Json(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
