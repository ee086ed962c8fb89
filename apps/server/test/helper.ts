import { mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type Engine, type EngineSettings, EVERYTHING, type Grant, openEngine } from '@proj/engine';
import { afterFile } from '@proj/test-servers';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect, onTestFinished } from 'vitest';

import { DATABASE_KINDS } from '../src/settings/database-kinds.ts';
import { type AppParts, buildApp } from '../src/app.ts';
import type { AuditEntry, AuditLog } from '../src/audit/audit-log.ts';
import { Lifecycle } from '../src/process/lifecycle.ts';
import { databasesIn, type DatabaseSettings } from '../src/settings/databases.ts';
import type { Settings } from '../src/settings/schema.ts';
import { problemMatcher } from './problem.ts';

expect.extend(problemMatcher);

export { anyPort as randomPort, until } from '@proj/test-servers';

export const QUERY_PATH = '/api/v1/dynamic/query';
export const MODELS_PATH = '/api/v1/dynamic/models';
export const TOKEN = 'test-token';

/** 42 cities, as in the specification. */
export const CITIES = `
  create table cities (id integer primary key, name text not null, population integer, area real);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 42)
  insert into cities select i, 'city ' || i, case when i % 7 then i * 1000 end, i + 0.5 from n;`;

/** A view that no machine reads to its end. */
export const ENDLESS = `
  create view endless as
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000000000) select i as id from n where i < 0;`;

/** Engines of tests need no more than one process that reads: each start takes a quarter second. */
export const ONE_READER = { processes: availableParallelism() };

export interface ServiceOptions {
  /** Another service whose engine and database this one has too. */
  readonly over?: Service;
  /** The statements that make the database. */
  readonly sql?: string;
  readonly settings?: Partial<EngineSettings>;
  readonly grant?: Grant;
  readonly logLevel?: string;
  /** Replaces parts of the engine. */
  readonly stub?: Partial<Engine>;
  /** Parts of the app that are not as usual. */
  readonly parts?: Partial<AppParts>;
}

/** An app over a database of its own. */
export interface Service {
  readonly app: FastifyInstance;
  readonly engine: Engine;
  /** The database file. */
  readonly file: string;
  readonly lifecycle: Lifecycle;
  /** POSTs a body to the query endpoint; objects are sent as JSON. */
  readonly ask: (body: unknown, headers?: OutgoingHttpHeaders) => Promise<LightMyRequestResponse>;
  /** GETs a path with the token. */
  readonly get: (url: string, headers?: OutgoingHttpHeaders) => Promise<LightMyRequestResponse>;
}

/** A service that ends with the test. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { service, close } = await openService(options);
  onTestFinished(close);
  return service;
}

/** A service for the tests of one file; for tests that leave it as it was. */
export async function sharedService(options: ServiceOptions = {}): Promise<Service> {
  const { service, close } = await openService(options);
  afterFile(close);
  return service;
}

async function openService(
  options: ServiceOptions,
): Promise<{ service: Service; close: () => Promise<void> }> {
  const { over } = options;
  const { engine: opened, file } = over ?? (await openDatabase(options));
  const lifecycle = new Lifecycle();
  const principal = {
    name: 'test',
    id: 'test-principal',
    role: null,
    grant: options.grant ?? EVERYTHING,
  };
  const authenticate = (token: string) => Promise.resolve(token === TOKEN ? principal : undefined);
  const engine = stubbed(opened, options.stub ?? {});
  const app = await buildApp({
    engine,
    authenticate,
    lifecycle,
    logLevel: options.logLevel ?? 'silent',
    ...options.parts,
  });
  const close = async (): Promise<void> => {
    await app.close();
    if (over !== undefined) return;
    await opened.close();
    rmSync(dirname(file), { recursive: true, force: true });
  };
  const authorization = `Bearer ${TOKEN}`;
  const ask: Service['ask'] = (body, headers = {}) => send(app, body, { headers });
  const get: Service['get'] = (url, headers = {}) =>
    app.inject({ method: 'GET', url, headers: { authorization, ...headers } });
  return { service: { app, engine: opened, file, lifecycle, ask, get }, close };
}

/** What is unusual about a request with a body. */
interface Sent {
  readonly method?: 'POST' | 'QUERY';
  readonly path?: string;
  readonly token?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Sends a body, and objects as JSON: a query by POST unless something else is said. */
export async function send(
  app: FastifyInstance,
  body: unknown,
  { method = 'POST', path = QUERY_PATH, token = TOKEN, headers = {} }: Sent = {},
): Promise<LightMyRequestResponse> {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const common = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return app.inject({ method, url: path, headers: { ...common, ...headers }, payload });
}

/** The same, to a service in whatever process. */
export async function sendTo(
  origin: string,
  body: unknown,
  { method = 'POST', path = QUERY_PATH, token = TOKEN, headers = {} }: SentTo = {},
): Promise<Response> {
  const common = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method, headers: { ...common, ...headers }, body: JSON.stringify(body) };
  return fetch(origin + path, init);
}

interface SentTo extends Sent {
  readonly headers?: Readonly<Record<string, string>>;
}

/** So that a request has a connection of its own. */
export const CLOSING = { connection: 'close' };

/** An app that knows no token and has no engine. */
export async function emptyApp(
  parts: Partial<AppParts> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<FastifyInstance> {
  const app = await buildApp({
    engine: {} as Engine,
    authenticate: async () => undefined,
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
    ...parts,
  });
  atEnd(() => app.close());
  return app;
}

/** What an engine answers to a query of cities: a page whose records are this JSON text. */
export function answerOf(result: string): Awaited<ReturnType<Engine['query']>> {
  return {
    result,
    page: { page: '1', size: '1', total: '1', has_next: false },
    version: undefined,
    milliseconds: { plan: 0, rows: 0, count: 0 },
    facts: { model: 'cities', models: ['cities'], attributes: [], page: 1, size: 1, rows: 1 },
    deprecations: [],
    approximate: false,
    tag: () => 'tag',
  };
}

/** An audit, and the lines that it has got. */
export function auditLines(): { auditLog: AuditLog; lines: Omit<AuditEntry, 'time'>[] } {
  const lines: Omit<AuditEntry, 'time'>[] = [];
  const write = (entry: Omit<AuditEntry, 'time'>): void => void lines.push(entry);
  return {
    auditLog: { write, failure: undefined, dropped: 0, close: async () => undefined },
    lines,
  };
}

/** A database file, and an engine over it. */
async function openDatabase({
  sql = CITIES,
  settings,
}: ServiceOptions): Promise<{ engine: Engine; file: string }> {
  const { file } = makeDatabase(sql);
  const engine = await openEngine({
    kinds: DATABASE_KINDS,
    database: `sqlite:${file}`,
    expose: 'all',
    models: {},
    maxPageSize: 1000,
    queryTimeoutMs: 60_000,
    ...ONE_READER,
    ...settings,
  });
  return { engine, file };
}

/** The engine with some of its parts replaced. */
export function stubbed(engine: Engine, stub: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get: (target, key) => {
      const value: unknown = Reflect.get(key in stub ? stub : target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A database file in a directory of its own. */
export function makeDatabase(sql: string): { directory: string; file: string } {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-'));
  const file = join(directory, 'data.db');
  const database = new DatabaseSync(file);
  database.exec(`begin; ${sql} commit;`);
  database.close();
  return { directory, file };
}

/** Writes to a SQLite file as another program does, which waits for readers. */
export function writeTo(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(sql);
  database.close();
}

/** A database file that goes with the test. */
export function temporaryDatabase(sql: string = CITIES): { directory: string; file: string } {
  const made = makeDatabase(sql);
  onTestFinished(() => rmSync(made.directory, { recursive: true, force: true }));
  return made;
}

/** A query of the cities, with members replaced. */
export function cityQuery(
  page: number,
  size: number,
  attributes: readonly string[] = ['id', 'name'],
) {
  return { query_model: 'cities', query_attributes: attributes, page: { page, size } };
}

/** Listens on a free port of 127.0.0.1, and gives the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** Settings of one database, as that database has them. */
export function settingsOfOne(settings: Settings): DatabaseSettings {
  return present(databasesIn(settings)[0]).settings;
}

/** A value that must be there. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is none.');
  return value;
}
