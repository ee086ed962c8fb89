import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { openEngine } from '@proj/engine';
import { sqlite } from '@proj/sqlite';
import { onTestFinished } from 'vitest';

const ORDERS = `
  create table orders (id integer primary key, amount integer not null, tenant text not null);
  insert into orders values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'a'), (4, 40, 'b'), (5, 50, 'b');
  create table customers (id integer primary key, name text not null);
  insert into customers values (1, 'Ann');`;

/** A database as options name it, until it is removed. */
export function openShop(more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  const file = join(folder, 'shop.db');
  const database = new DatabaseSync(file);
  database.exec(ORDERS + more);
  database.close();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { database: `sqlite:${file}`, kinds: [sqlite], remove };
}

/** A database that is gone after the test. */
export function shop(more = '') {
  const { remove, ...options } = openShop(more);
  onTestFinished(remove);
  return options;
}

/** An engine over a database, which the test closes. */
export function openEngineOf(database: Omit<ReturnType<typeof openShop>, 'remove'>) {
  const limits = { maxPageSize: 100, queryTimeoutMs: 10_000 };
  return openEngine({ ...database, expose: 'all', models: {}, ...limits });
}

export const QUERY = '/api/v1/dynamic/query';

/** A request for a page of orders. */
export function ordersPage(size = 10): object {
  return { query_model: 'orders', query_attributes: ['id'], page: { page: 1, size } };
}

/** Orders of the tenant of the caller. */
export const CLERK = {
  clerk: {
    models: {
      orders: { rows: { attribute: 'tenant', op: 'eq', value: '$claims.tenant' } },
    },
  },
};
