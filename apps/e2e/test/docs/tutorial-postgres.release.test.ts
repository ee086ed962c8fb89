import { newPostgresDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { readBlocks } from './document.ts';
import { Reader } from './reader.ts';

const BLOCKS = readBlocks('docs/start.md');
const OWN_PAGE = BLOCKS.findIndex(({ text }) => text.includes('mkdir page'));

/** The shop of the tutorial, as a reader may have it on a server. */
const SHOP = `
  create table customers (id bigint primary key, name text not null, password_hash text not null);
  create table orders (
    id bigint primary key,
    customer_id bigint not null references customers,
    amount numeric not null,
    ordered_on date not null,
    note text
  );
  insert into customers select i, 'Customer ' || i, 'secret' from generate_series(1, 30) i;
  insert into orders
  select i, 1 + i % 30, 10 + i % 90, date '2026-01-01' + i / 4, case when i % 7 = 0 then 'gift' end
  from generate_series(1, 1200) i;
  create role app login;
  grant select on all tables in schema public to app;`;

it('the tutorial prints the same for a database on PostgreSQL, up to the web page', async () => {
  const database = await newPostgresDatabase();
  await database.client(SHOP);
  const url = database.url.replace('postgres@', 'app@');
  const reader = await Reader.create();
  const made = BLOCKS.slice(0, OWN_PAGE).filter(({ text }) => !/DatabaseSync|make-shop/.test(text));
  for (const block of made)
    await reader.follow({
      ...block,
      // Here `check` says first how many connections the service takes.
      text: block.text.replaceAll('sqlite:shop.db', url).replace('No errors', '…No errors'),
    });
  expect(made.length).toBe(OWN_PAGE - 2);
});
