import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { sharedService } from './helper.ts';

const SQL = `
  create table orders (customer text not null, number integer not null, amount numeric(10, 2), note text, weight real, paid boolean,
    primary key (customer, number));
  with recursive n(i) as (select 0 union all select i + 1 from n where i < 136)
  insert into orders select char(65 + i * 7 % 11), i, case when i % 5 then i * 1.25 end, case when i % 3 then 'note ' || i end, i / 8.0, i % 2 from n;`;
const service = await sharedService({ sql: SQL });
const TOTAL = 137;

/** The attributes, each with SQL that gives its JSON by hand. */
const COLUMNS: Readonly<Record<string, string>> = {
  customer: 'customer',
  number: 'cast(number as text)',
  amount: `case when amount is not null then rtrim(rtrim(printf('%.2f', amount), '0'), '.') end`,
  note: 'note',
  weight: 'weight',
  paid: `case paid when 1 then json('true') else json('false') end`,
};

const request = fc.record({
  attributes: fc.shuffledSubarray(Object.keys(COLUMNS), { minLength: 1 }),
  page: fc.oneof(
    fc.integer({ min: 1, max: 30 }),
    fc.maxSafeInteger().filter((page) => page > 0),
  ),
  size: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1000 })),
});

it('every page of every size and choice of attributes is what SQL written by hand gives', async () => {
  const database = new DatabaseSync(service.file, { readOnly: true });
  await fc.assert(
    fc.asyncProperty(request, async ({ attributes, page, size }) => {
      const reply = await service.ask({
        query_model: 'orders',
        query_attributes: attributes,
        page: { page, size },
      });
      const offset = (BigInt(page) - 1n) * BigInt(size);
      const members = attributes.map((name) => `'${name}', ${COLUMNS[name]}`).join(', ');
      const rows = database
        .prepare(
          `select json_object(${members}) as record from orders order by customer, number limit ? offset ?`,
        )
        .all(size, offset < 1000n ? offset : 1000n);
      expect(reply.json()).toEqual({
        result: rows.map((row) => JSON.parse(String(row['record']))),
        page: {
          page: String(page),
          size: String(size),
          total: String(TOTAL),
          has_next: BigInt(page) * BigInt(size) < TOTAL,
        },
      });
      for (const record of reply.json().result) expect(Object.keys(record)).toEqual(attributes);
    }),
    { numRuns: 300 },
  );
  database.close();
});

it('all pages of any size together are the whole list, each record once and in order', async () => {
  const whole = (await ask(1, 1000)).result;
  expect(whole).toHaveLength(TOTAL);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 5, max: 150 }), async (size) => {
      const records: unknown[] = [];
      for (let page = 1, more = true; more; page++) {
        const reply = await ask(page, size);
        records.push(...reply.result);
        more = reply.page.has_next;
      }
      expect(records).toEqual(whole);
    }),
    { numRuns: 25 },
  );
});

async function ask(
  page: number,
  size: number,
): Promise<{ result: unknown[]; page: { has_next: boolean } }> {
  return (
    await service.ask({
      query_model: 'orders',
      query_attributes: ['customer', 'number'],
      page: { page, size },
    })
  ).json();
}
