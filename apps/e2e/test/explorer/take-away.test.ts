import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Page } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { TOKEN } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const ENV = { ...process.env, DYNAMIC_QUERY_TOKEN: TOKEN };

const VIEW =
  'model=cities&attributes=name,population&where=population.gte.1000000&where=name.ne.L%27Ile&sort=-population,name&page=2&size=10';

describeInBrowser('a view that is copied as', (browser) => {
  const origin = inject('demo');
  const copied = async (
    form: string,
  ): Promise<{ readonly text: string; readonly names: string[] }> => {
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await seeRange(page, 'records 11–20');
    const names = await columnTexts(page, 'name');
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByLabel(form, { exact: true }).first().check();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'Copied' })
      .first()
      .waitFor({ state: 'attached' });
    return { text: await page.evaluate(async () => navigator.clipboard.readText()), names };
  };

  it('curl prints the page when it is run, and contains no token', async () => {
    const { text, names } = await copied('curl');
    expect(text).not.toContain(TOKEN);
    const { stdout } = await run('sh', ['-c', text], { env: ENV });
    const { result } = JSON.parse(stdout) as { result: { name: string }[] };
    expect(result.map(({ name }) => name)).toEqual(names);
  });

  it('TypeScript prints the page when it is run', async () => {
    const { text, names } = await copied('TypeScript');
    // Beside the tests, where the SDK is found.
    const directory = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'copied-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'copied.ts');
    writeFileSync(
      file,
      `${text}\nconsole.log(JSON.stringify(page.records.map((record) => record.name)));\n`,
    );
    const { stdout } = await run(process.execPath, [file], { env: ENV });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual(names);
  });

  it('dq prints the page when it is run', async () => {
    const { text, names } = await copied('dq');
    const dq = fileURLToPath(
      new URL('dist/main.js', import.meta.resolve('@proj/cli/package.json')),
    );
    const command = text.replace(' dq ', ` ${process.execPath} ${dq} `);
    const { stdout } = await run('sh', ['-c', command], { env: ENV });
    for (const name of names) expect(stdout).toContain(name);
  });
});

/** Makes the browser one that lets no page write files. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }),
  );
}

/** Names a file of the page's own storage where the browser would ask the reader for one. */
async function withOwnFiles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'showSaveFilePicker', {
      value: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    });
  });
}

async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
}

describeInBrowser('an export', (browser) => {
  const origin = inject('demo');
  const open = async (view: string, prepare: (page: Page) => Promise<unknown>) => {
    const { page, queries } = await openSignedIn(browser(), `${origin}/?${view}`, {
      acceptDownloads: true,
    });
    await prepare(page);
    await page.reload();
    await page.getByLabel('Access token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await seeRange(page, 'of');
    await page.getByRole('button', { name: 'Export' }).click();
    return { page, queries };
  };
  it('holds all records of the view as CSV, in its order, and shows its progress', async () => {
    const { page } = await open(
      'model=countries&attributes=code,part_of_code,currency_codes&sort=-code&size=10',
      withoutPicker,
    );
    const downloading = page.waitForEvent('download');
    await start(page);
    const download = await downloading;
    await page.getByText('Done: 252 records.').waitFor();
    expect(download.suggestedFilename()).toBe('countries.csv');
    const file = join(await temporaryFolder(), 'countries.csv');
    await download.saveAs(file);
    const lines = readFileSync(file, 'utf8').split('\r\n');
    expect(lines).toHaveLength(254);
    expect(lines.slice(0, 2)).toEqual([
      'code,part_of_code,currency_codes',
      'ZW,,"[""ZWG"",""USD"",""ZAR"",""BWP"",""GBP"",""AUD"",""CNY"",""INR"",""JPY""]"',
    ]);
  });

  it('streams NDJSON to a file where the browser lets it', async () => {
    const { page } = await open(
      'model=cities&attributes=id,name&where=country_code.eq.CH',
      withOwnFiles,
    );
    await page.getByLabel(/^NDJSON/).check();
    await start(page);
    const said = await page.getByText(/^Done: /).textContent();
    const text = await page.evaluate(async () => {
      const directory = await navigator.storage.getDirectory();
      return (await (await directory.getFileHandle('cities.ndjson')).getFile()).text();
    });
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string });
    expect(said).toBe(`Done: ${records.length.toLocaleString('en')} records.`);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  });

  it('is cancelled, and leaves nothing', async () => {
    const { page, queries } = await open('model=cities&attributes=id', withOwnFiles);
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
    const size = await page.evaluate(async () => {
      const directory = await navigator.storage.getDirectory();
      return (await (await directory.getFileHandle('cities.csv')).getFile()).size;
    });
    expect(size).toBe(0);
  });
});
