import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { serviceOfTests } from './service-of-tests.ts';

const NOTES = `
  create table notes (id integer primary key, text text not null);
  create table others (id integer primary key);
  create view moments as select id, datetime('now') as moment from notes;
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
  insert into notes select i, 'note ' || i from n;`;

/** The view has no version. */
const SETTINGS = `models:
  notes: { attributes: all }
  others: { attributes: all }
  moments: { attributes: all, key: [id] }
limits: { watch_check_ms: 100, watch_read_ms: 1000 }
`;

/** Runs in the page. */
function watchOften(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/dynamic/watch')) return send(request);
    const body = JSON.stringify({ ...(await request.json()), watch_every_ms: 100 });
    const { method, headers, signal } = request;
    return send(request.url, { method, headers, signal, body });
  };
}

describeInBrowser('a list that others write to', (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  const file = join(directory, 'notes.db');
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const origin = serviceOfTests(() => {
    write(NOTES);
    const config = join(directory, 'settings.yaml');
    writeFileSync(config, SETTINGS);
    return ['--database', `sqlite:${file}`, '--config', config];
  });

  function write(sql: string): void {
    const database = new DatabaseSync(file, { timeout: 10_000 });
    database.exec('pragma journal_mode = wal');
    database.exec(sql);
    database.close();
  }

  /** Opens a list of which the page hears at once, not every two seconds. */
  async function openWatched(search: string): Promise<Page> {
    const { page } = await openSignedIn(browser(), origin());
    await page.addInitScript(watchOften);
    const watched = page.waitForRequest(
      (request) =>
        request.url().endsWith('/watch') &&
        request.postData()?.includes('"watch_every_ms":100') === true,
    );
    await page.goto(`${origin()}/?size=10&${search}`);
    await watched;
    await seeRange(page, 'records 1–10');
    return page;
  }

  it('has a sign with the difference, and shows the new records where that is clicked', async () => {
    const page = await openWatched('model=notes&sort=-id&where=id.lt.1000');
    const table = page.locator('.table-frame');
    const place = await table.boundingBox();
    const before = await columnTexts(page, 'id');
    write("insert into notes values (101, 'new'), (102, 'new')");
    const sign = page.getByRole('status').getByRole('button', { name: '2 more records · Refresh' });
    await sign.waitFor();
    expect(await columnTexts(page, 'id')).toEqual(before);
    expect(await table.boundingBox()).toEqual(place);
    expect(await findings(page, ['.change'])).toEqual([]);
    write('delete from notes where id = 101');
    await page.getByRole('button', { name: '1 more record · Refresh' }).click();
    await seeRange(page, 'records 1–10 of 61');
    expect((await columnTexts(page, 'id'))[0]).toBe('102');
    await expect.poll(async () => page.locator('.change button').count()).toBe(0);
    expect(await page.locator('main').evaluate((main) => main === document.activeElement)).toBe(
      true,
    );
  });

  it('has a sign where the records on the page are others, and none for those of other tables', async () => {
    const page = await openWatched('model=notes&sort=id&where=id.lt.1000');
    let reads = 0;
    await page.route('**/dynamic/query', async (route) => {
      reads += 1;
      await route.continue();
    });
    write('insert into others values (1)');
    await expect.poll(() => reads).toBeGreaterThan(0);
    write('insert into others values (2)');
    await expect.poll(() => reads).toBeGreaterThan(1);
    expect(await page.locator('.change button').count()).toBe(0);
    write("update notes set text = 'written anew' where id = 3");
    await page.getByRole('button', { name: 'Records have changed · Refresh' }).click();
    await page.getByText('written anew').first().waitFor();
    write("update notes set text = 'note 3' where id = 3");
  });

  it('has a sign too where the database tells no version of what the list reads', async () => {
    const page = await openWatched('model=moments&attributes=id');
    write("insert into notes values (201, 'new')");
    await page.getByRole('button', { name: '1 more record · Refresh' }).waitFor();
    expect(await page.locator('.banner').count()).toBe(0);
    write('delete from notes where id = 201');
  });

  it('is not watched while its tab is behind others', async () => {
    const page = await openWatched('model=notes&sort=id');
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/watch'));
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await ended;
    const again = page.waitForRequest((request) => request.url().endsWith('/watch'));
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect((await again).method()).toBe('POST');
  });
});
