import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RunningService } from '@proj/test-servers';
import { beforeAll } from 'vitest';

import { startDemo } from './service.ts';

/** Sees neither an e-mail address, by which the settings say that customers are known, nor the key of badges. */
export const CLERK = 'dq_the-token-of-a-clerk-0123456789';

/** A text that no cell shows whole. */
export const LONG = `first line\n${'long '.repeat(400)}end`;

const ORDERS = `
  create table countries (code text primary key not null, name text not null);
  create table customers (
    id integer primary key, name text not null, email text,
    country_id text references countries (code)
  );
  create table orders (
    id integer primary key, customer_id integer references customers (id), note text,
    is_paid boolean not null, amount decimal not null, ordered_on date not null, extra json,
    status text
  );
  insert into countries values ('CH', 'Switzerland'), ('AT', 'Austria');
  insert into customers values
    (1, 'Ada', 'ada@example.com', 'CH'), (2, 'Bo', 'bo@example.com', 'AT'), (3, 'Cy', null, null);
  insert into orders values
    (1, 1, 'gift', 1, '12.50', '2026-01-05', '{}', 'sent'),
    (2, 1, null, 0, '7.50', '2026-01-20', '{}', 'open'),
    (3, 2, 'gift', 1, '100.00', '2026-02-03', null, 'sent'),
    (4, 2, '', 1, '0.25', '2026-02-04', null, 'returned'),
    (5, 3, null, 0, '3.00', '2026-03-01', null, null),
    (6, null, 'late', 0, '5.00', '2026-03-02', null, 'open');`;

const LIBRARY = `
  create table authors (id integer primary key, name text not null);
  create table books (
    id integer primary key, title text not null, pages integer,
    author_id integer not null references authors, is_lent boolean not null, notes json
  );
  insert into authors values (7000001, 'Ada'), (7000002, 'Bert'), (7000003, 'Cleo');
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
  insert into books
  select i, case when i % 2 then 'Volume ' || i else 'A very long title of which nobody knows the end' end,
    i * 10, 7000001 + i % 3, i % 2, null
  from n;
  update books set title = 'first line' || char(10) || 'second line',
    notes = '{"city":"Z\\u00fcrich"}' where id = 1;`;

const WIDE_COLUMNS = Array.from({ length: 49 }, (_, index) => `text${index} text`);

const ODD_MODELS = `
  create table moments (id integer primary key, at text);
  insert into moments values (1, '2026-01-31T22:15:30.123456Z');
  create table formulas (id integer primary key, note text);
  insert into formulas values (1, '=1+1'), (2, '-5');
  create table wide (id integer primary key, ${WIDE_COLUMNS.join()});
  insert into wide (id, text48) values (1, 'needle');
  create table visits (at datetime not null primary key, note text) without rowid;
  create table badges (code integer primary key, note text);
  create table things (id integer primary key, note text, doc json, day date, open boolean);`;

/** SQLite has no type for dates, moments and enumerations. */
const settings = (sha256: string): string => `expose: all
models:
  customers: { label: email }
  orders: { attributes: { status: { type: enum } } }
  things: { attributes: { day: { type: date } } }
  moments: { attributes: { at: { type: timestamp_tz } } }
roles:
  clerk:
    models:
      orders: {}
      customers: { attributes: [id, name] }
      visits: {}
      badges: { attributes: [note] }
tokens: [{ name: clerk, role: clerk, sha256: ${sha256} }]
`;

let service: Promise<RunningService> | undefined;

/**
 * A service with a shop, a library, and models that have something odd, which tests only read; it
 * ends with the worker. The answer gives its origin, within tests.
 */
export function shopOfTests(): () => string {
  let origin = '';
  beforeAll(async () => {
    service ??= startShop();
    ({ origin } = await service);
  });
  return () => origin;
}

async function startShop(): Promise<RunningService> {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  const [file, config] = [join(directory, 'shop.db'), join(directory, 'settings.yaml')];
  const database = new DatabaseSync(file);
  database.exec(ORDERS + LIBRARY + ODD_MODELS);
  const insert = database.prepare('insert into things values (?, ?, ?, ?, ?)');
  const doc = '{"price":2.50,"big":9007199254740993,"list":[]}';
  insert.run(9_223_372_036_854_775_807n, LONG, doc, '2026-01-31', 1);
  insert.run(1n, '', null, null, null);
  insert.run(2n, 'NULL', '[1.0,"<b>"]', '2025-12-31', 0);
  insert.run(3n, null, '"text"', '2025-12-31', 0);
  database.close();
  writeFileSync(config, settings(createHash('sha256').update(CLERK).digest('hex')));
  return startDemo({ args: ['--database', `sqlite:${file}`, '--config', config] });
}
