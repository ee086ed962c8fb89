import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';

import { type Engine, openEngine } from '@proj/engine';
import { afterFile } from '@proj/test-servers';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { expect } from 'vitest';

import { accessRules, Authenticator } from '../../src/access/authenticator.ts';
import { createJwtVerifier } from '../../src/access/jwt/jwt.ts';
import { buildApp } from '../../src/app.ts';
import { Lifecycle } from '../../src/process/lifecycle.ts';
import type { AuditLog } from '../../src/audit/audit-log.ts';
import { openLimits } from '../../src/limits/limits.ts';
import { engineSettings } from '../../src/settings/engine-settings.ts';
import { loadSettings } from '../../src/settings/file/load.ts';
import type { Settings } from '../../src/settings/schema.ts';
import { makeDatabase, ONE_READER, send, settingsOfOne } from '../helper.ts';
import { problemMatcher } from '../problem.ts';

expect.extend(problemMatcher);

/** A shop of two tenants. What nobody but the auditor may see holds a canary. */
export const SHOP = `
  create table orders (id integer primary key, tenant text not null, customer text, amount int, secret text);
  create table salaries (id integer primary key, person text, wage int);
  create table products (id integer primary key, label text);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 60)
  insert into orders select i, case i % 2 when 0 then 'north' else 'south' end,
    case i % 2 when 0 then 'canary-north-' else 'canary-south-' end || i, i % 7, 'canary-secret' from n;
  insert into salaries values (1, 'canary-person', 1000);
  insert into products values (1, 'chair'), (2, 'table');`;

/** Roles and tokens of the shop; each token is its name with `-token` behind it. */
export const SHOP_ROLES = `
roles:
  clerk:
    models:
      orders: { attributes: [id, customer, amount], rows: { attribute: tenant, op: eq, value: $claims.tenant } }
      products: {}
  storekeeper: { models: { products: { attributes: [id] } } }
  auditor: { models: all }
tokens:
  - { name: north, role: clerk, sha256: ${sha256('north-token')}, claims: { tenant: north } }
  - { name: south, role: clerk, sha256: ${sha256('south-token')}, claims: { tenant: south } }
  - { name: store, role: storekeeper, sha256: ${sha256('store-token')} }
  - { name: audit, role: auditor, sha256: ${sha256('audit-token')} }
  - { name: old, role: auditor, sha256: ${sha256('old-token')}, expires: 2020-01-01 }
`;

export function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

interface ShopOptions {
  /** Another shop, whose database and engine this one has too. */
  readonly over?: Shop;
  readonly sql?: string;
  /** Settings besides the database, in YAML. */
  readonly settings?: string;
  readonly auditLog?: AuditLog;
}

export interface Shop {
  readonly app: FastifyInstance;
  /** The database file. */
  readonly file: string;
  readonly engine: Engine;
  readonly settings: Settings;
  /** Asks for the ids of the orders, with members replaced. */
  readonly ask: (
    token: string,
    members?: object,
    headers?: OutgoingHttpHeaders,
  ) => Promise<LightMyRequestResponse>;
  readonly get: (token: string, url: string) => Promise<LightMyRequestResponse>;
}

/** An app made from settings as the program makes it, for the tests of one file. */
export async function openShop({
  over,
  sql = SHOP,
  settings: text = SHOP_ROLES,
  auditLog,
}: ShopOptions = {}): Promise<Shop> {
  const file = over?.file ?? makeDatabase(sql).file;
  const directory = dirname(file);
  const config = join(directory, 'settings.yaml');
  writeFileSync(config, `database: sqlite:${file}\nexpose: all\n${text}`);
  const settings = await loadSettings({ flags: { config }, env: {} });
  const open = () => openEngine({ ...engineSettings(settingsOfOne(settings)), ...ONE_READER });
  const engine = over?.engine ?? (await open());
  const jwt = settings.jwt.length === 0 ? undefined : createJwtVerifier(settings.jwt);
  const authenticator = new Authenticator(engine, accessRules(settings, undefined, jwt));
  const limits = await openLimits(settings.rate_limits, { log: pino({ level: 'silent' }) });
  const app = await buildApp({
    engine,
    authenticate: (token) => authenticator.authenticate(token),
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
    limits,
    corsOrigins: settings.cors_origins,
    trustProxy: settings.trust_proxy,
    auditLog,
  });
  afterFile(async () => {
    await app.close();
    limits.close();
    jwt?.close();
    if (over !== undefined) return;
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const ask: Shop['ask'] = (token, members = {}, headers = {}) =>
    send(app, orderQuery(members), { token, headers });
  const get: Shop['get'] = (token, url) =>
    app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { app, file, engine, settings, ask, get };
}

/** The ids of the orders, with members replaced. */
export function orderQuery(members: object = {}): object {
  return {
    query_model: 'orders',
    query_attributes: ['id'],
    page: { page: 1, size: 100 },
    ...members,
  };
}

/** A reply without what differs from one request to the next: the id, and with it the ETag. */
export function lasting({ statusCode, headers, body }: LightMyRequestResponse): object {
  const id = String(headers['x-request-id']);
  return JSON.parse(
    JSON.stringify({ statusCode, headers: { ...headers, date: '', etag: '' }, body }).replaceAll(
      id,
      'ID',
    ),
  ) as object;
}
