import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newMariadbDatabase, newPostgresDatabase, until } from '@proj/test-servers';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, onTestFinished } from 'vitest';
import { stringify } from 'yaml';

import type { Service } from '../../src/service.ts';
import { makeDatabase, present, send } from '../helper.ts';
import { type LogLine, serviceHere } from '../service-here.ts';
import { type GuardedDatabase, guardedDatabase } from './guarded-database.ts';

export const ADMIN_TOKEN = 'dq_several-0123456789abcdefghijklmnopqrstuv';

const TABLES = `
  create table customers (id integer primary key, name varchar(40) not null);
  create table orders (id integer primary key, customer_id integer not null references customers (id), amount integer not null);
  insert into customers values (1, 'Ann'), (2, 'Bob');`;

/** As many orders as are asked for, the same on each database. */
function ordersSql(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `(${at + 1}, ${1 + (at % 2)}, ${at * 10})`);
  return `${TABLES}\ninsert into orders values ${rows.join(', ')};`;
}

type AtEnd = (end: () => void | Promise<void>) => void;

/** A SQLite file with orders, that goes with the test unless it is for the tests of a file. */
export function ordersFile(
  count: number,
  atEnd: AtEnd = onTestFinished,
): { readonly url: string; readonly path: string } {
  const { directory, file } = makeDatabase(ordersSql(count));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return { url: `sqlite:${file}`, path: file };
}

/** Databases of one file at the servers of the worker, with 12 and 13 orders, that can be away. */
export function orderDatabases(): {
  readonly postgres: () => GuardedDatabase;
  readonly mariadb: () => GuardedDatabase;
} {
  let made: readonly GuardedDatabase[] = [];
  beforeAll(async () => {
    const databases = await Promise.all([newPostgresDatabase(), newMariadbDatabase()]);
    await databases[0].client(ordersSql(12));
    await databases[1].client(ordersSql(13));
    made = await Promise.all(databases.map(guardedDatabase));
  });
  return { postgres: () => present(made[0]), mariadb: () => present(made[1]) };
}

/** A process that reads a file may take its time to start. */
export const PATIENT = { query_timeout_ms: 60_000 };

type Reply = LightMyRequestResponse;

/** A service over settings, and what a test asks of it. */
export interface ServiceOfSeveral {
  readonly service: Service;
  readonly lines: readonly LogLine[];
  readonly post: (
    payload: object,
    how?: { readonly path?: string; readonly token?: string },
  ) => Promise<Reply>;
  readonly get: (url: string, headers?: Record<string, string>) => Promise<Reply>;
  /** The total of a model, or the code of the problem. */
  readonly total: (model: string, token?: string) => Promise<string>;
  /** The names of the models that the admin token sees. */
  readonly models: () => Promise<string[]>;
  /** Writes other settings, and returns whether they are applied. */
  readonly change: (next: object, cause?: 'settings' | 'operator') => Promise<boolean>;
}

/**
 * A service over settings that a test gives as an object, and that it may change. On a slow machine
 * a database may answer too late for the start: it is waited for.
 *
 * @param away the databases that are not waited for
 */
export async function serviceOf(
  settings: object,
  away: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
): Promise<ServiceOfSeveral> {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-several-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const config = join(directory, 'settings.yaml');
  const write = (next: object): void =>
    writeFileSync(config, stringify({ limits: PATIENT, ...next }), { mode: 0o600 });
  write(settings);
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: ADMIN_TOKEN };
  const service = await serviceHere({ flags: { config }, env }, atEnd);
  const { lines } = service;
  for (const warning of service.warnings) {
    const [, late = ''] = /^(\w+): The database does not answer/.exec(warning) ?? [];
    const answers = ({ database, msg }: LogLine): boolean =>
      database === late && msg === 'the database answers';
    if (late !== '' && !away.includes(late)) await until(() => lines.some(answers));
  }
  const post: ServiceOfSeveral['post'] = (payload, how = {}) =>
    send(service.app, payload, { token: ADMIN_TOKEN, ...how });
  const get: ServiceOfSeveral['get'] = (url, headers = {}) =>
    service.app.inject({ url, headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers } });
  return {
    service,
    lines,
    post,
    get,
    total: async (model, token) => {
      const reply = await post(pageOf(model), token === undefined ? {} : { token });
      const body = reply.json<{ code?: string; page?: { total: string } }>();
      return body.page?.total ?? body.code ?? '';
    },
    models: async () =>
      (await get('/api/v1/dynamic/models'))
        .json<{ models: { name: string }[] }>()
        .models.map(({ name }) => name),
    change: async (next, cause = 'settings') => {
      write(next);
      return service.reload(cause);
    },
  };
}

/** A query of the first three records of a model with an id. */
export function pageOf(query_model: string, query_attributes: readonly string[] = ['id']): object {
  return { query_model, query_attributes, page: { page: 1, size: 3 } };
}
