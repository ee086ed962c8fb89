import { openPrefixProxy } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { listen, QUERY_PATH, startService, TOKEN } from './helper.ts';

/** A service that callers reach below a path of a proxy. */
async function startBelowPrefix(isKnown: boolean): Promise<string> {
  const proxy = await openPrefixProxy('/data');
  onTestFinished(proxy.close);
  const { app } = await startService({ parts: isKnown ? { publicUrl: `${proxy.url}/` } : {} });
  proxy.passTo(`http://127.0.0.1:${await listen(app)}`);
  return proxy.url;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly info: { readonly description: string };
}

it.each([true, false])(
  'below a path of a proxy the OpenAPI documents lead callers back to it (public_url is set: %s)',
  async (isKnown) => {
    const url = await startBelowPrefix(isKnown);
    for (const name of ['openapi.json', 'openapi-3.0.json', 'openapi-3.2.json']) {
      const { servers, info } = (await (await fetch(`${url}/${name}`)).json()) as Document;
      for (const server of servers) {
        const base = new URL(server.url, `${url}/${name}`).href.replace(/\/$/, '');
        expect(base).toBe(url);
        expect((await fetch(`${base}/livez`)).status).toBe(200);
      }
      const [, problems = ''] = /\[all of them\]\((.+?)\)/.exec(info.description) ?? [];
      expect(new URL(problems, `${url}/docs`).href).toBe(`${url}/problems`);
    }
  },
);

it.each([
  ['a request that is refused', QUERY_PATH, { method: 'POST', body: '{' }],
  ['a path that is not there', '/nowhere', {}],
  ['a path that cannot be read', '/%', {}],
])('below a path of a proxy the type of a problem leads to its page: %s', async (_, path, init) => {
  const url = await startBelowPrefix(true);
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const { type, code } = (await (await fetch(url + path, { ...init, headers })).json()) as {
    type: string;
    code: string;
  };
  expect(type).toBe(`${url}/problems/${code}`);
  const page = await fetch(type);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(code);
});
