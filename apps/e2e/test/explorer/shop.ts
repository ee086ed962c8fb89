import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll } from 'vitest';

import { serviceOfTests } from './service-of-tests.ts';

/** Sees no e-mail address, by which the settings say that customers are known. */
export const CLERK = 'dq_the-token-of-a-clerk-0123456789';

const TABLES = `
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
    (6, null, 'late', 0, '5.00', '2026-03-02', null, 'open')`;

/** A service with a small shop for the tests of a block; the answer gives its origin. */
export function shopOfTests(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return serviceOfTests(() => {
    const [file, config] = [join(directory, 'shop.db'), join(directory, 'settings.yaml')];
    const database = new DatabaseSync(file);
    database.exec(TABLES);
    database.close();
    const sha256 = createHash('sha256').update(CLERK).digest('hex');
    writeFileSync(
      config,
      `expose: all
models: { customers: { label: email }, orders: { attributes: { status: { type: enum } } } }
roles: { clerk: { models: { orders: {}, customers: { attributes: [id, name] } } } }
tokens: [{ name: clerk, role: clerk, sha256: ${sha256} }]
`,
    );
    return ['--database', `sqlite:${file}`, '--config', config];
  });
}
