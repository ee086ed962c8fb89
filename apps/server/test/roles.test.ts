import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type Engine, openEngine } from '@proj/engine';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accessRules, Authenticator } from '../src/access/authenticator.ts';
import { buildApp } from '../src/app.ts';
import { Lifecycle } from '../src/process/lifecycle.ts';
import { engineSettings } from '../src/settings/engine-settings.ts';
import { loadSettings } from '../src/settings/file/load.ts';
import { ONE_READER, settingsOfOne } from './helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'roles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

const SETTINGS = `
database: sqlite:${join(folder, 'shop.db')}
expose: all
roles:
  clerk:
    models:
      orders:
        attributes: [id, customer, amount]
        max_page_size: 20
        rows: { attribute: tenant, op: eq, value: $claims.tenant.id }
  auditor: { models: all }
  closed: { models: all, data_version: false }
  open:
    data_version: true
    models:
      orders:
        rows:
          and:
            - { attribute: tenant, op: eq, value: north }
            - { not: { attribute: customer, op: is_null } }
  buyer:
    models:
      orders: { rows: { attribute: amount, op: in, value: $claims.amounts } }
tokens:
  - { name: north, role: clerk, sha256: ${hash('north-token')}, claims: { tenant: { id: north } } }
  - { name: south, role: clerk, sha256: ${hash('south-token')}, claims: { tenant: { id: south } } }
  - { name: nobody, role: clerk, sha256: ${hash('nobody-token')} }
  - { name: open, role: open, sha256: ${hash('open-token')} }
  - { name: closed, role: closed, sha256: ${hash('closed-token')} }
  - { name: audit, role: auditor, sha256: ${hash('audit-token')} }
  - { name: buyer, role: buyer, sha256: ${hash('buyer-token')}, claims: { amounts: [1, '3'] } }
  - { name: odd, role: buyer, sha256: ${hash('odd-token')}, claims: { amounts: ['x'] } }
`;

let app: FastifyInstance;
let engine: Engine;

beforeAll(async () => {
  const shop = new DatabaseSync(join(folder, 'shop.db'));
  shop.exec(`
    create table orders (id integer primary key, tenant text not null, customer text, amount int);
    insert into orders
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
      select i, case i % 3 when 0 then 'south' else 'north' end, 'c' || (i % 7), i % 50 from n;
  `);
  shop.close();
  const file = join(folder, 'settings.yaml');
  writeFileSync(file, SETTINGS);
  const settings = await loadSettings({ flags: { config: file }, env: {} });
  engine = await openEngine({ ...engineSettings(settingsOfOne(settings)), ...ONE_READER });
  const authenticator = new Authenticator(engine, accessRules(settings, undefined, undefined));
  app = await buildApp({
    engine,
    authenticate: (token) => authenticator.authenticate(token),
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
  });
  app.addHook('onClose', () => engine.close());
});
afterAll(() => app.close());

interface Reply {
  readonly status: number;
  readonly body: {
    code?: string;
    detail?: string;
    result?: Record<string, unknown>[];
    page?: { total: string };
  };
}

async function ask(token: string, members: object = {}): Promise<Reply> {
  const body = {
    query_model: 'orders',
    query_attributes: ['id'],
    page: { page: 1, size: 20 },
    ...members,
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/dynamic/query',
    headers,
    payload: JSON.stringify(body),
  });
  return { status: reply.statusCode, body: reply.json() };
}

/** Whether a reply to the token says of which version the data are. */
async function tellsVersion(token: string): Promise<boolean> {
  const payload = JSON.stringify({
    query_model: 'orders',
    query_attributes: ['id'],
    page: { page: 1, size: 1 },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/dynamic/query',
    headers,
    payload,
  });
  expect(reply.statusCode).toBe(200);
  return reply.headers['data-version'] !== undefined;
}

describe('the version of the data, which shows that somebody wrote', () => {
  it('is shown to roles without a row policy, and hidden from roles with one', async () => {
    expect([await tellsVersion('audit-token'), await tellsVersion('north-token')]).toEqual([
      true,
      false,
    ]);
  });

  it('is shown or hidden as the role says', async () => {
    expect([await tellsVersion('open-token'), await tellsVersion('closed-token')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the rows of a role', () => {
  it('shape the records and the total by a claim of the token', async () => {
    expect((await ask('north-token')).body.page?.total).toBe('200');
    expect((await ask('south-token')).body.page?.total).toBe('100');
    expect((await ask('audit-token')).body.page?.total).toBe('300');
  });

  it('may list the values of a claim', async () => {
    expect((await ask('buyer-token', { query_attributes: ['amount'] })).body.page?.total).toBe(
      '12',
    );
  });

  it('keep a token out that lacks the claim, or brings one of another type', async () => {
    expect(await ask('nobody-token')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await ask('odd-token')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
