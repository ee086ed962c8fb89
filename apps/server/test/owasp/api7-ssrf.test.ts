import { createServer } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';
import { afterAll, describe, expect, it } from 'vitest';

import { MODELS_PATH } from '../helper.ts';
import { openShop } from './shop.ts';

// jwt/mutations.test.ts has tokens that name where their key is; jwt-key-document.test.ts refuses
// redirects.

/** A listener to which nobody may ever come. */
let connections = 0;
const listener = createServer(() => (connections += 1));
const url = `http://127.0.0.1:${await listenOnFreePort(listener)}`;
afterAll(() => listener.close());

const shop = await openShop();

describe('a request that names an address', () => {
  const texts = [
    url,
    `file:///etc/passwd`,
    `'; attach database '${url}' as x; --`,
    `' || load_extension('${url}') || '`,
    `' || readfile('/etc/passwd') || '`,
    `file:data.db?mode=rwc&vfs=${url}`,
  ];

  it.each(texts)('as a value, a name or a model leads nowhere: %s', async (text) => {
    const filtered = await shop.ask('audit-token', {
      query_filter: { attribute: 'customer', op: 'eq', value: text },
    });
    expect(filtered.json()).toMatchObject({ result: [], page: { total: '0' } });
    expect(await shop.ask('audit-token', { query_model: text })).toBeProblem('unknown_model');
    expect(await shop.ask('audit-token', { query_attributes: [text] })).toBeProblem(
      'unknown_attribute',
    );
    expect(await shop.ask('audit-token', { query_sort: [{ attribute: text }] })).toBeProblem(
      'unknown_attribute',
    );
    expect(await shop.get('audit-token', `${MODELS_PATH}/${encodeURIComponent(text)}`)).toBeProblem(
      'not_found',
    );
    expect(connections).toBe(0);
  });

  it('in its headers leads nowhere', async () => {
    const host = url.slice(7);
    const headers = {
      host,
      origin: url,
      referer: url,
      'x-forwarded-host': host,
      forwarded: `host=${host}`,
      'x-callback': url,
    };
    const reply = await shop.ask('audit-token', {}, headers);
    expect(reply.statusCode).toBe(200);
    expect(JSON.stringify(reply.headers) + reply.body).not.toContain(host);
    expect(connections).toBe(0);
  });
});
