import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { MODELS_PATH, QUERY_PATH, temporaryDatabase, until } from '../helper.ts';
import { rawExchange } from '../raw-http.ts';
import { startServer } from '../server-process.ts';
import { settingsFile } from '../settings-files.ts';

const TOKEN = 'token-canary-8f1e6c0d5b7a4932';
const PASSWORD = 'password-canary-77aa01';
const GUESS = 'guess-canary-5521ffee';
const FORGED = `${btoa('{"alg":"none"}')}.${btoa('{"iss":"forged-canary"}')}.forged-canary`;

const query = (members: object = {}): string =>
  JSON.stringify({
    query_model: 'cities',
    query_attributes: ['id'],
    page: { page: 1, size: 2 },
    ...members,
  });

it('neither a token nor a password is ever logged, audited or sent, at the most talkative level', async () => {
  const { directory, file } = temporaryDatabase();
  const audit = join(directory, 'audit.jsonl');
  const config = settingsFile(`
database: sqlite:${file}
expose: all
audit: ${audit}
log_level: trace
rate_limits: { failures_per_minute: unlimited, redis: '\${REDIS_URL}' }
jwt: [{ issuer: 'https://id.example', audience: a, jwks_url: 'http://127.0.0.1:9/keys', roles: { a: b } }]
roles: { b: { models: all } }
`);
  const server = await startServer(['--config', config], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    REDIS_URL: `redis://user:${PASSWORD}@127.0.0.1:9/0`,
  });
  const sent: string[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<number> => {
    const reply = await fetch(server.origin + path, init);
    sent.push(JSON.stringify([...reply.headers]), await reply.text());
    return reply.status;
  };
  const good = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const post = (body: string, headers: Record<string, string> = good) =>
    send(QUERY_PATH, { method: 'POST', headers, body });

  expect(await post(query())).toBe(200);
  expect(await send(MODELS_PATH, { headers: good })).toBe(200);
  expect(await post(query({ query_model: 'towns' }))).toBe(400);
  expect(await post('{')).toBe(400);
  expect(await post('x'.repeat(70_000))).toBe(413);
  expect(await post(query(), { ...good, 'content-type': 'text/plain' })).toBe(415);
  expect(await send(`/nowhere?access_token=${TOKEN}`, { headers: good })).toBe(404);
  expect(await send(`${MODELS_PATH}?access_token=${TOKEN}`)).toBe(401);
  expect(await send(`${QUERY_PATH}?token=${TOKEN}`, { headers: good })).toBe(405);
  for (const authorization of [
    `Bearer ${GUESS}`,
    `Basic ${btoa(`user:${GUESS}`)}`,
    `Bearer ${GUESS} ${TOKEN}`,
    TOKEN,
  ]) {
    expect(await post(query(), { ...good, authorization })).toBe(401);
  }
  expect([401, 503]).toContain(await post(query(), { ...good, authorization: `Bearer ${FORGED}` }));
  expect(
    await send(MODELS_PATH, { headers: { cookie: `token=${TOKEN}`, 'x-api-key': TOKEN } }),
  ).toBe(401);
  const port = Number(new URL(server.origin).port);
  for (const line of [
    `Authorization: Bearer ${TOKEN}\r\nBad Header: x`,
    `Authorization: Bearer ${TOKEN}\x01`,
  ]) {
    sent.push(await rawExchange(port, `GET ${MODELS_PATH} HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`));
  }

  server.child.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  await until(() => readFileSync(audit, 'utf8').includes('unauthenticated'));
  const audited = readFileSync(audit, 'utf8');
  expect(stdout).toContain('"level":');
  expect(audited.split('\n').length).toBeGreaterThan(8);
  for (const text of [stdout, stderr, audited, ...sent]) {
    expect(text).not.toMatch(/canary/);
    for (const secret of [TOKEN, PASSWORD, GUESS]) {
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4));
      expect(text).not.toContain(encodeURIComponent(secret));
    }
  }
});
