import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { anyPort, startProgram, until } from '@proj/test-servers';
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { ROOT } from '../docs/document.ts';

const SCRIPT = fileURLToPath(new URL('scripts/example.js', ROOT));

/** How a reader looks for the cities whose names hold a text. */
const SEARCHES: Readonly<Record<string, (page: Page, text: string) => Promise<void>>> = {
  'ag-grid': async (page, text) => page.getByLabel('Name Filter Input', { exact: true }).fill(text),
  'mui-x': async (page, text) => {
    const search = page.getByPlaceholder('Search…');
    if (!(await search.isVisible())) await page.getByRole('button', { name: 'Search' }).click();
    await search.fill(text);
  },
  'react-admin': async (page, text) => page.getByPlaceholder('Search').fill(text),
  refine: async (page, text) => page.getByLabel('Name').fill(text),
  'tanstack-table': async (page, text) => page.getByLabel('Name').fill(text),
};

/** How a reader tries again what has failed. */
const RETRY = /^(Try again|Refresh)$/;

/** What is seen in one example alone. */
const ALSO: Readonly<Record<string, (page: Page, rows: Locator) => Promise<void>>> = {
  // The parameters of a column come from its definition, by the API of the grid.
  'ag-grid': async (page, rows) => {
    await page.getByLabel('Name Filter Input', { exact: true }).fill('');
    await page.getByLabel('Country Filter Input', { exact: true }).fill('LI');
    await expect.poll(async () => rows.allInnerTexts()).toContainEqual(expect.stringMatching(/LI/));
    await page.getByLabel('Country Filter Input', { exact: true }).fill('li');
    await expect.poll(async () => rows.count()).toBe(0);
  },
  'tanstack-table': async (page) => {
    await page.getByLabel('Name').fill('');
    await page.locator('th').getByRole('button', { name: 'Population' }).click();
    for (const name of ['Name', 'Country', 'Population'])
      expect([name, await clickThrough(page, name)]).toEqual([name, ['↑', '↓', '']]);
  },
};

/** The orders that a reader gets by clicks on the head of a column, of any type. */
async function clickThrough(page: Page, name: string): Promise<string[]> {
  const seen: string[] = [];
  for (let clicks = 0; clicks < 3; clicks++) {
    await page.locator('th').getByRole('button', { name }).click();
    const text = await page.locator('th').getByRole('button', { name }).innerText();
    seen.push(text.replace(name, '').trim());
  }
  return seen;
}

/** Starts an example as a reader does, with the one command of the README. */
async function start(example: string): Promise<string> {
  const port = anyPort();
  const { PATH = '', HOME = '' } = process.env;
  const program = startProgram(process.execPath, [SCRIPT, example, String(port)], { PATH, HOME });
  // It ends the service and the page that it has started.
  onTestFinished(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const url = `http://127.0.0.1:${port}/`;
  await until(async () => {
    if (program.child.exitCode !== null) throw new Error(program.output());
    return answers(`${url}api/v1/dynamic/models`);
  }, 1_200_000);
  return url;
}

/** Whether both the page and, behind it, the service answer. */
async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 401,
    () => false,
  );
}

describeInBrowser('an example of a grid, over the demo', (browser) => {
  it.each(Object.keys(SEARCHES))(
    '%s shows cities and those that are looked for, says what has failed, and recovers',
    async (example) => {
      const url = await start(example);
      const folder = fileURLToPath(new URL(`examples/${example}`, ROOT));
      await promisify(execFile)('node_modules/.bin/tsc', ['-p', '.'], { cwd: folder });
      const page = await browser().newPage();
      onTestFinished(async () => page.close());
      const problems: unknown[] = [];
      page.on('pageerror', (error) => problems.push(error));
      page.on('dialog', (dialog) => {
        problems.push(dialog.message());
        void dialog.dismiss();
      });
      await page.goto(url);
      const rows = page.locator('tbody tr, .ag-row, .MuiDataGrid-row');
      await expect.poll(async () => rows.count()).toBeGreaterThanOrEqual(5);
      await SEARCHES[example]?.(page, 'frauenfel');
      await expect
        .poll(async () => rows.allInnerTexts())
        .toEqual([expect.stringContaining('Frauenfeld')]);
      await page.route('**/dynamic/query', async (route) => route.abort());
      await SEARCHES[example]?.(page, 'winterthu');
      const alert = page.getByRole('alert').first();
      await expect.poll(async () => alert.isVisible()).toBe(true);
      expect((await alert.innerText()).length).toBeGreaterThan(20);
      await page.unroute('**/dynamic/query');
      await page.getByRole('button', { name: RETRY }).click();
      await expect
        .poll(async () => rows.allInnerTexts())
        .toContainEqual(expect.stringContaining('Winterthur'));
      await ALSO[example]?.(page, rows);
      expect(problems).toEqual([]);
    },
  );
});
