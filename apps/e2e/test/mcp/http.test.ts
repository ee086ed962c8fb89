import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { type RunningService, until } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { makeFolder } from '../support/temporary-folder.ts';
import { remoteAgent, startedAgent, type Version } from './agent.ts';
import { createNotes, NOTES } from './notes.ts';

/** Tokens by the roles that they have. */
const TOKENS = {
  ada: 'dq_ada',
  one: 'dq_one',
  slow: 'dq_slow',
  slower: 'dq_slower',
  slowest: 'dq_slowest',
  older: 'dq_older',
  hasty: 'dq_hasty',
  nobody: 'dq_nobody',
} as const;

/** The roles of those that see not everything. */
const ROLES: Readonly<Record<string, string>> = { ada: 'ada', nobody: 'author' };

let origin = '';
let audit = '';

const SETTINGS = (file: string): string => `
mcp: true
audit: ${file}
models:
  notes: { attributes: all }
  secrets: { attributes: all }
  endless: { attributes: all, key: [id] }
roles:
  ada:
    models:
      notes: { attributes: [id, author], rows: { attribute: author, op: eq, value: ada } }
  author:
    models:
      notes: { attributes: all, rows: { attribute: author, op: eq, value: $claims.author } }
  all: { models: all }
rate_limits:
  requests_per_minute: 40
tokens:
${Object.entries(TOKENS)
  .map(
    ([name, token]) =>
      `  - { name: ${name}, sha256: ${hash(token)}, role: ${ROLES[name] ?? 'all'} }`,
  )
  .join('\n')}
`;

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

beforeAll(async () => {
  const { url, run } = await createNotes();
  await run(
    'create view endless as with recursive n(i) as (select 1 union all select i + 1 from n ' +
      'where i < 1000000000000) select i as id from n where i < 0',
  );
  audit = join(await makeFolder(), 'audit.log');
  ({ origin } = await startService({ database: url, settings: SETTINGS(audit) }));
});

/** What the audit says of the queries of a token. */
async function audited(token: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // The file comes with the first line.
  const lines = (await readFile(audit, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => entry['token'] === token);
}

/** Waits until the service has answered so many other requests. */
async function answered(requests: number): Promise<void> {
  for (let count = 0; count < requests; count += 1) await fetch(`${origin}/livez`);
}

const VERSIONS: readonly Version[] = ['2026-07-28', '2025-11-25'];

describe.each(VERSIONS)('/mcp by version %s of the protocol', (version) => {
  it('answers with exact pages, as dq mcp does', async () => {
    const { client, call } = await remoteAgent({ origin, token: TOKEN }, version);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toHaveLength(5);
    const { text, facts } = await call('query_records', { model: 'notes', attributes: ['author'] });
    expect(text).toContain(`notes: records 1–20 of exactly ${NOTES}; not all; next: page 2`);
    expect(facts).toMatchObject({ total: String(NOTES), next: { page: 2, size: 20 } });
  });
});

it('shows two tokens what each of them may see, and says of the rest that it does not exist', async () => {
  const all = await remoteAgent({ origin, token: TOKEN });
  const ada = await remoteAgent({ origin, token: TOKENS.ada });
  expect((await all.call('list_models')).facts['models']).toEqual(['notes', 'secrets', 'endless']);
  expect((await ada.call('list_models')).facts['models']).toEqual(['notes']);
  expect((await all.call('count_values', { model: 'notes' })).facts['count']).toBe('137');
  expect((await ada.call('count_values', { model: 'notes' })).facts['count']).toBe('45');
  const body = { model: 'notes', attributes: ['body'] };
  expect(await ada.call('query_records', body)).toMatchObject({
    isError: true,
    text: expect.stringContaining('"notes" has no attribute named "body"'),
  });
  const hidden = await ada.call('query_records', { model: 'secrets' });
  const absent = await ada.call('query_records', { model: 'nowhere' });
  expect(hidden.text.replace('secrets', 'nowhere')).toBe(absent.text);
});

it('records each query with its token, and counts the requests of a token', async () => {
  const { call } = await remoteAgent({ origin, token: TOKENS.one });
  await call('query_records', { model: 'notes', attributes: ['id'], size: 7 });
  await until(async () => (await audited('one')).length > 0);
  expect(await audited('one')).toMatchObject([
    { role: 'all', model: 'notes', attributes: ['id'], size: 7, rows: 7, outcome: 'ok' },
  ]);
  // Each call counts as itself and as the requests that it makes.
  const refused = async (): Promise<unknown> => {
    for (let calls = 0; calls < 40; calls += 1) {
      const { isError, text } = await call('list_models');
      if (isError) return text;
    }
    return 'all were answered';
  };
  const outcome = await refused().catch(String);
  expect(outcome).toMatch(/rate_limited|429/);
});

it.each([
  ['slow', '/mcp', remoteAgent, '2026-07-28'],
  ['older', '/mcp', remoteAgent, '2025-11-25'],
  ['slower', 'dq mcp', startedAgent, '2026-07-28'],
  ['slowest', 'dq mcp', startedAgent, '2025-11-25'],
] as const)(
  'stops the query of %s in the database when it gives up a call of %s',
  async (...of) => {
    const [name, , connect, version] = of;
    const { call } = await connect({ origin, token: TOKENS[name] }, version);
    // A call that ends before its query begins leaves no line.
    for (let others = 1; (await audited(name)).length === 0; others *= 2) {
      const giving = new AbortController();
      const calling = call('query_records', { model: 'endless' }, { signal: giving.signal });
      await Promise.all([
        expect(calling).rejects.toThrow(/abort/i),
        answered(others).then(() => giving.abort()),
      ]);
      await answered(others);
    }
    const [first] = await audited(name);
    expect(first).toMatchObject({ model: null, outcome: 'cancelled' });
  },
);

it('ends the reply to a call that its client gives up by a notification', async () => {
  const headers = { ...LIST, authorization: `Bearer ${TOKENS.hasty}` };
  const post = async (message: object): Promise<Response> =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const params = { name: 'query_records', arguments: { model: 'endless' } };
  const call = { isOver: false };
  const called = post({ id: 'slow one', method: 'tools/call', params }).finally(() => {
    call.isOver = true;
  });
  const given = { method: 'notifications/cancelled', params: { requestId: 'slow one' } };
  // One that comes before the call means nothing.
  for (let others = 1; !call.isOver; others *= 2) {
    expect((await post(given)).status).toBe(202);
    await answered(others);
  }
  const text = await (await called).text();
  expect(text).not.toContain('records 1');
  expect(text).not.toContain('query_timeout');
});

interface Sent {
  /** Where the service is. */
  readonly at?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Sends a request as no browser and no `fetch` would let a test do it. */
async function send({ at = origin, headers, method = 'POST' }: Sent): Promise<{
  readonly status: number | undefined;
  readonly challenge: string | undefined;
}> {
  const { port } = new URL(at);
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: '/mcp', method, headers: { ...LIST, ...headers } });
    sent.on('response', (reply) => {
      reply.resume();
      const { statusCode: status, headers: received } = reply;
      resolve({ status, challenge: received['www-authenticate'] });
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined);
  });
}

const LIST = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  authorization: `Bearer ${TOKEN}`,
};

it.each([
  ['is asked by its own name', {}, 200],
  ['is asked from a page of its own', { host: 'localhost:80', origin: 'http://localhost:80' }, 200],
  ['is asked by the name of somebody else', { host: 'rebound.example' }, 403],
  ['is asked from a page of somebody else', { origin: 'https://rebound.example' }, 403],
  ['is asked from a page without an origin', { origin: 'null' }, 403],
  ['gets a token that is not valid', { authorization: 'Bearer wrong' }, 401],
  ['gets a token that may see nothing', { authorization: `Bearer ${TOKENS.nobody}` }, 403],
])('answers where /mcp %s', async (_case, headers, status) => {
  expect(await send({ headers })).toMatchObject({ status });
});

it('names no metadata where the settings name no issuer, and takes POST alone', async () => {
  const { challenge } = await send({ headers: { authorization: 'Bearer wrong' } });
  expect(challenge).toBe('Bearer realm="dynamic-query", error="invalid_token"');
  expect(await send({ method: 'GET' })).toMatchObject({ status: 405 });
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
  expect(metadata.status).toBe(404);
});

it('names the issuers of its tokens, by the address at which its callers reach it', async () => {
  const { url, run } = await SQLITE.start();
  await run('create table notes (id integer primary key)');
  const service = await startService({ database: url, settings: WITH_ISSUER });
  const host = 'data.example.com';
  const headers = { host, authorization: 'Bearer wrong' };
  const { challenge = '' } = await send({ at: service.origin, headers });
  const [, named = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
  expect(named).toBe(`https://${host}/api/.well-known/oauth-protected-resource/mcp`);
  expect(await metadataOf(service, host)).toEqual({
    resource: `https://${host}/api/mcp`,
    authorization_servers: ['https://id.example.com/realms/shop'],
    bearer_methods_supported: ['header'],
    resource_name: 'Dynamic Query',
  });
  const loopback = await metadataOf(service, '127.0.0.1:5');
  expect(loopback).toMatchObject({ resource: 'http://127.0.0.1:5/mcp' });
  expect(await metadataOf(service, 'rebound.example')).toMatchObject({ code: 'not_found' });
});

const WITH_ISSUER = `
mcp: true
public_url: https://data.example.com/api/
expose: all
roles: { clerk: { models: all } }
jwt:
  - issuer: https://id.example.com/realms/shop
    audience: dynamic-query
    jwks_url: http://127.0.0.1:9/keys
    roles: { clerk: clerk }
`;

/** What the metadata says to somebody who reaches the service by a name. */
async function metadataOf({ port }: RunningService, host: string): Promise<unknown> {
  const path = '/.well-known/oauth-protected-resource/mcp';
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, headers: { host } });
    sent.on('response', (reply) => void json(reply).then(resolve, reject));
    sent.on('error', reject);
    sent.end();
  });
}
