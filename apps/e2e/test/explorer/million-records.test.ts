import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { ownFile, withOwnFiles } from './own-files.ts';
import { serviceOfTests } from './service-of-tests.ts';

const MILLION = `
  create table orders (id integer primary key, customer text not null, cents integer, note text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
  insert into orders select i, 'customer ' || (i % 1000), case when i % 10 then i * 7 end, case i % 3 when 0 then '' when 1 then 'gift' end from n;
  create index orders_cents on orders (cents);`;

describeInBrowser('a model of 1,000,000 records', (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const origin = serviceOfTests(() => {
    const file = join(directory, 'orders.db');
    const database = new DatabaseSync(file);
    database.exec(`pragma journal_mode = off; pragma synchronous = off; ${MILLION}`);
    // Readers of a file without a write-ahead log may take only seconds: writers wait for them.
    database.exec('pragma journal_mode = wal');
    database.close();
    const limit = ['--query-timeout-ms', '120000'];
    return ['--database', `sqlite:${file}`, '--expose', 'all', ...limit];
  });

  it('is opened, shows its total, and its last page is a click away', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, 'records 1–50 of 1,000,000');
    await page.locator('.models .total', { hasText: '1,000,000' }).waitFor();
    // One that takes long to count is first read without its total.
    const asked = pageQueries().length;
    await page.getByRole('button', { name: 'Last page' }).click();
    await seeRange(page, 'records 999,951–1,000,000 of 1,000,000');
    expect((await columnTexts(page, 'id')).at(-1)).toBe('1000000');
    expect(pageQueries().length).toBe(asked + 1);
  });

  it('is filtered and sorted, and jumped into', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin()}/?model=orders&where=cents.is_null&sort=-id&size=100`,
    );
    await seeRange(page, 'records 1–100 of 100,000');
    await page.getByLabel('Page', { exact: true }).fill('1000');
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(page, 'records 99,901–100,000 of 100,000');
    expect((await columnTexts(page, 'id')).at(-1)).toBe('10');
  });

  it('has a distribution whose bars count all of its records', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, 'of 1,000,000');
    await chooseOfColumn(page, 'cents', 'Distribution …');
    await page.getByText('Counted over all').waitFor();
    const counts = await page.locator('.bars td.number:nth-child(3)').allTextContents();
    expect(counts.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0)).toBe(
      1_000_000,
    );
  });

  it('is exported as a file with all of its records', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin()}/?model=orders`,
      {},
      { keeping: 'Keep it in this tab' },
    );
    await seeRange(page, 'of 1,000,000');
    await withOwnFiles(page);
    await page.reload();
    await seeRange(page, 'of 1,000,000');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Done: 1,000,000 records.').waitFor();
    const lines = (await ownFile(page, 'orders.csv')).split('\r\n');
    expect([lines.length, lines[1_000_000]]).toEqual([1_000_002, '1000000,customer 0,,gift']);
  });
});
