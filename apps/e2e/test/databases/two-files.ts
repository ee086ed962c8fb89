import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RunningService } from '@proj/test-servers';

import { startService } from '../support/service.ts';
import { makeFolder } from '../support/temporary-folder.ts';

const TABLES = `
  create table customers (id integer primary key, name text not null);
  create table orders (id integer primary key, customer_id integer references customers, amount integer not null);
  insert into customers values (1, 'Ann'), (2, 'Bob');
  insert into orders values (1, 1, 5), (2, 1, 7), (3, 2, 9);`;

/** A service over two SQLite files with the same tables; `crm` has an order less than `shop`. */
export async function startOverTwoFiles(): Promise<RunningService> {
  const folder = await makeFolder();
  for (const name of ['shop', 'crm']) {
    const database = new DatabaseSync(join(folder, `${name}.db`));
    database.exec(TABLES);
    if (name === 'crm') database.exec('delete from orders where id = 3');
    database.close();
  }
  const line = (name: string): string =>
    `  ${name}: { url: 'sqlite:${join(folder, `${name}.db`)}', expose: all }\n`;
  return startService({ settings: `databases:\n${line('shop')}${line('crm')}` });
}
