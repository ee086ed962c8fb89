import { METHODS } from 'node:http';

import { describe, expect, it } from 'vitest';

import { listen, MODELS_PATH, QUERY_PATH } from '../helper.ts';
import { rawReply } from '../raw-http.ts';
import { registeredPaths } from './routes.ts';
import { openShop, orderQuery } from './shop.ts';

// http.test.ts names what each route allows, and paths that do not exist.

const shop = await openShop();
const port = await listen(shop.app);

/** What reveals nothing of the models. */
const PUBLIC = [
  '/livez',
  '/readyz',
  '/problems',
  '/problems/internal',
  '/openapi.json',
  '/openapi-3.0.json',
  '/openapi-3.2.json',
  '/docs',
];
const PATHS = registeredPaths(shop.app).map((path) =>
  path.replace(':code', 'internal').replace(':name', 'orders'),
);

const raw = (line: string, headers: readonly string[] = []) =>
  rawReply(port, [line, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n'));

it('without a token every method on every route is refused, or the route is public', async () => {
  expect(PATHS.length).toBeGreaterThan(4);
  for (const url of PATHS) {
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      const { statusCode, body } = await shop.app.inject({ method: method as 'GET', url });
      const open =
        (PUBLIC.includes(url) || url.startsWith('/docs/')) &&
        (method === 'GET' || method === 'HEAD');
      const passes = open ? statusCode === 200 : [401, 404, 405].includes(statusCode);
      expect({ url, method, statusCode, passes }).toMatchObject({ passes: true });
      expect(body).not.toMatch(/canary|orders"/);
    }
  }
});

describe('a path that is written in another way', () => {
  const { length } = MODELS_PATH;
  const TRICKS = [
    `/${MODELS_PATH}`,
    `${MODELS_PATH}/`,
    `${MODELS_PATH}//`,
    `${MODELS_PATH}/.`,
    `${MODELS_PATH}/..`,
    `${MODELS_PATH}%2f`,
    `${MODELS_PATH}%00`,
    `${MODELS_PATH}%20`,
    `${MODELS_PATH};x=y`,
    `${MODELS_PATH}.json`,
    `${MODELS_PATH}?x#y`,
    MODELS_PATH.toUpperCase(),
    `/%61pi${MODELS_PATH.slice(4)}`,
    `/.${MODELS_PATH}`,
    `/%2e${MODELS_PATH}`,
    `/%2e%2e${MODELS_PATH}`,
    `/livez/..${MODELS_PATH}`,
    `/livez/%2e%2e${MODELS_PATH}`,
    `/livez/..%2f${MODELS_PATH.slice(1)}`,
    `/livez;${MODELS_PATH}`,
    `/problems/..%2f..${MODELS_PATH}`,
    `\\api${MODELS_PATH.slice(4)}`,
    MODELS_PATH.replaceAll('/', '%2f'),
    `http://localhost${MODELS_PATH}`,
    `${MODELS_PATH.slice(0, length - 1)}%73`,
  ];

  it.each(TRICKS)('gives nothing without a token: %s', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const { statusCode, body } = await raw(`${method} ${path} HTTP/1.1`);
      expect([400, 401, 404, 405]).toContain(statusCode);
      expect(body).not.toContain('orders');
    }
  });

  it.each([
    'salaries',
    'SALARIES',
    '%73alaries',
    'salaries%00',
    'salaries%20',
    'salaries.json',
    'salaries;x',
    'salaries%2f',
    'salaries/',
    'orders/../salaries',
    'orders%2f..%2fsalaries',
    './salaries',
    '*',
    'orders,salaries',
    'orders?name=salaries',
  ])('gives no other model than the token may see: %s', async (name) => {
    const { body } = await raw(`GET ${MODELS_PATH}/${name} HTTP/1.1`, [
      'Authorization: Bearer north-token',
    ]);
    expect(body).not.toMatch(/person|wage/);
  });
});

describe('a header that names another method or path', () => {
  const headers = { authorization: 'Bearer audit-token', 'content-type': 'application/json' };

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'is ignored: %s',
    async (name) => {
      const payload = JSON.stringify(orderQuery({ _method: 'GET' }));
      const posted = await shop.app.inject({
        method: 'POST',
        url: MODELS_PATH,
        headers: { ...headers, [name]: 'GET' },
        payload,
      });
      expect(posted).toBeProblem('method_not_allowed');
      const got = await shop.app.inject({
        url: `${QUERY_PATH}?_method=POST`,
        headers: { ...headers, [name]: 'POST' },
      });
      expect(got).toBeProblem('method_not_allowed');
    },
  );

  it.each([
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-uri',
    'x-forwarded-prefix',
    'x-forwarded-path',
  ])('is ignored: %s', async (name) => {
    const reply = await shop.app.inject({
      url: '/livez',
      headers: { ...headers, [name]: MODELS_PATH },
    });
    expect(reply.json()).toEqual({ status: 'live' });
    const refused = await shop.app.inject({ url: MODELS_PATH, headers: { [name]: '/livez' } });
    expect(refused).toBeProblem('unauthenticated');
  });
});
