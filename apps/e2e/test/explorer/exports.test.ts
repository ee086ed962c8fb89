import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { ownFile, withOwnFiles, withoutPicker } from './own-files.ts';
import { shopOfTests } from './shop.ts';

declare global {
  /** Lets go of what the file was to be written. */
  var letWrite: () => void;
}

/** The same, of which everything but the first piece waits to be written. */
async function withSlowFiles(page: Page): Promise<void> {
  await page.evaluate(() => {
    const gate = Promise.withResolvers<void>();
    globalThis.letWrite = gate.resolve;
    let isFirst = true;
    const { prototype } = FileSystemWritableFileStream;
    const write = Object.getOwnPropertyDescriptor(prototype, 'write')?.value as (
      this: FileSystemWritableFileStream,
      data: FileSystemWriteChunkType,
    ) => Promise<void>;
    prototype.write = async function waiting(data) {
      if (!isFirst) await gate.promise;
      isFirst = false;
      await write.call(this, data);
    };
  });
  await withOwnFiles(page);
}

async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
}

describeInBrowser('an export', (browser) => {
  const origin = inject('demo');
  const shop = shopOfTests();
  const open = async (view: string, prepare: (page: Page) => Promise<unknown>) => {
    const { page, queries } = await openSignedIn(browser(), new URL(view, origin).href);
    await seeRange(page, 'of');
    await prepare(page);
    await page.getByRole('button', { name: 'Export' }).click();
    return { page, queries };
  };

  const downloaded = async (view: string, format: RegExp): Promise<readonly [string, Buffer]> => {
    const { page } = await open(view, withoutPicker);
    await page.getByLabel(format).check();
    const downloading = page.waitForEvent('download');
    await start(page);
    const download = await downloading;
    await page.getByText('Done: 252 records.').waitFor();
    const file = join(await temporaryFolder(), 'countries');
    await download.saveAs(file);
    return [download.suggestedFilename(), readFileSync(file)];
  };

  it('holds all records of the view as CSV, in its order, and shows its progress', async () => {
    const view = '/?model=countries&attributes=code,part_of_code,currency_codes&sort=-code&size=10';
    const [name, file] = await downloaded(view, /^CSV/);
    const lines = file.toString().split('\r\n');
    expect([name, lines.length]).toEqual(['countries.csv', 254]);
    expect(lines.slice(0, 2)).toEqual([
      'code,part_of_code,currency_codes',
      'ZW,,"[""ZWG"",""USD"",""ZAR"",""BWP"",""GBP"",""AUD"",""CNY"",""INR"",""JPY""]"',
    ]);
  });

  it('is a whole Parquet file where the reader wants columns with types', async () => {
    const view = '/?model=countries&attributes=code,name&size=10';
    const [name, file] = await downloaded(view, /^Parquet/);
    expect(name).toBe('countries.parquet');
    expect([file.subarray(0, 4), file.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
  });

  it('streams a long list as JSON lines to a file where the browser lets it', async () => {
    const { page } = await open('/?model=cities&attributes=id', withOwnFiles);
    await page.getByLabel(/^JSON lines/).check();
    await start(page);
    await page.getByText('Done: 135,233 records.').waitFor();
    const records = linesOf(await ownFile(page, 'cities.jsonl'));
    expect([records.length, new Set(records.map(({ id }) => id)).size]).toEqual([135_233, 135_233]);
  });

  it('guards formulas in CSV with an apostrophe, unless the reader wants them as they are', async () => {
    const { page } = await open(`${shop()}/?model=formulas&sort=id`, withOwnFiles);
    await start(page);
    await page.getByText('Done: 2 records.').waitFor();
    expect(await ownFile(page, 'formulas.csv')).toBe("id,note\r\n1,'=1+1\r\n2,-5\r\n");
    await page.getByLabel(/^Put an apostrophe/).uncheck();
    await start(page);
    await expect.poll(() => ownFile(page, 'formulas.csv')).toBe('id,note\r\n1,=1+1\r\n2,-5\r\n');
  });

  it('says in the end that it failed where the service cuts it', async () => {
    const { page } = await open('/?model=cities&attributes=id', withOwnFiles);
    await page.route('**/dynamic/export', async (route) => {
      const reply = await route.fetch();
      const body = (await reply.body()).subarray(0, -3);
      await route.fulfill({ response: reply, body });
    });
    await start(page);
    await page.getByText(/Nothing was kept\./).waitFor();
    expect(await page.getByText('Done:').count()).toBe(0);
    expect(await ownFile(page, 'cities.csv')).toBe('');
  });

  it('is cancelled while it is streamed, and leaves nothing', async () => {
    const { page } = await open('/?model=cities&attributes=id', withSlowFiles);
    await start(page);
    await page.getByText('so far, of 135,233 records').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(() => globalThis.letWrite());
    await page.getByText('Cancelled. Nothing was kept.').waitFor();
    expect(await ownFile(page, 'cities.csv')).toBe('');
  });

  it('goes page by page where the service streams nothing, and is cancelled there too', async () => {
    const { page, queries } = await open('/?model=cities&attributes=id', withOwnFiles);
    await page.route('**/dynamic/export', (route) => route.fulfill({ status: 404, body: '' }));
    await page.route('**/dynamic/query', async (route) => {
      const body = route.request().postDataJSON() as {
        page: { page: number | string; size: number };
      };
      // The third page stays without an answer, so that the export cannot be over before it is
      // cancelled.
      if (body.page.size !== 1000 || Number(body.page.page) < 3) await route.continue();
    });
    await start(page);
    await page.getByText('2,000 of 135,233 records').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was kept.').waitFor();
    // The SDK asks for a few pages ahead, and not for the rest of the 136.
    expect(queries.filter(({ page: { size } }) => size === 1000).length).toBeLessThan(20);
    expect(await ownFile(page, 'cities.csv')).toBe('');
  });
});

function linesOf(text: string): { readonly id: string }[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { readonly id: string });
}
