import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { beforeRelease } from '@proj/test-servers';
import { afterAll, expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { ownFile, withOwnFiles } from './own-files.ts';
import { serviceOfTests } from './service-of-tests.ts';

const RECORDS = beforeRelease ? 1_000_000 : 50_000;

const text = (count: number): string => count.toLocaleString('en');

/** The notes in turn; CSV has the empty text in quotes, and nothing for NULL. */
const NOTES = ['""', 'gift', ''];

const ORDERS = `
  create table orders (id integer primary key, customer text not null, cents integer, note text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RECORDS})
  insert into orders select i, 'customer ' || (i % 1000), case when i % 10 then i * 7 end, case i % 3 when 0 then '' when 1 then 'gift' end from n;
  create index orders_cents on orders (cents);`;

describeInBrowser(`a model of ${text(RECORDS)} records`, (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const origin = serviceOfTests(() => {
    const file = join(directory, 'orders.db');
    const database = new DatabaseSync(file);
    database.exec(`pragma journal_mode = off; pragma synchronous = off; ${ORDERS}`);
    // Readers of a file without a write-ahead log may take only seconds: writers wait for them.
    database.exec('pragma journal_mode = wal');
    database.close();
    const limit = ['--query-timeout-ms', '120000'];
    return ['--database', `sqlite:${file}`, '--expose', 'all', ...limit];
  });

  it('is opened, shows its total, and its last page is a click away', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, `records 1–50 of ${text(RECORDS)}`);
    await page.locator('.models .total', { hasText: text(RECORDS) }).waitFor();
    // One that takes long to count is first read without its total.
    const asked = pageQueries().length;
    await page.getByRole('button', { name: 'Last page' }).click();
    await seeRange(page, `records ${text(RECORDS - 49)}–${text(RECORDS)} of ${text(RECORDS)}`);
    expect((await columnTexts(page, 'id')).at(-1)).toBe(String(RECORDS));
    expect(pageQueries().length).toBe(asked + 1);
  });

  it('is filtered and sorted, and jumped into', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin()}/?model=orders&where=cents.is_null&sort=-id&size=100`,
    );
    await seeRange(page, `records 1–100 of ${text(RECORDS / 10)}`);
    await page.getByLabel('Page', { exact: true }).fill(String(RECORDS / 1000));
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(
      page,
      `records ${text(RECORDS / 10 - 99)}–${text(RECORDS / 10)} of ${text(RECORDS / 10)}`,
    );
    expect((await columnTexts(page, 'id')).at(-1)).toBe('10');
  });

  it('has a distribution whose bars count all of its records', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, `of ${text(RECORDS)}`);
    await chooseOfColumn(page, 'cents', 'Distribution …');
    await page.getByText('Counted over all').waitFor();
    const counts = await page.locator('.bars td.number:nth-child(3)').allTextContents();
    expect(counts.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0)).toBe(RECORDS);
  });

  it('is exported as a file with all of its records', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, `of ${text(RECORDS)}`);
    await withOwnFiles(page);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText(`Done: ${text(RECORDS)} records.`).waitFor();
    const lines = (await ownFile(page, 'orders.csv')).split('\r\n');
    expect([lines.length, lines[RECORDS - 1], lines[RECORDS]]).toEqual([
      RECORDS + 2,
      `${RECORDS - 1},customer 999,${(RECORDS - 1) * 7},${NOTES[(RECORDS - 1) % 3]}`,
      `${RECORDS},customer 0,,${NOTES[RECORDS % 3]}`,
    ]);
  });
});
