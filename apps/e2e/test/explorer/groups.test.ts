import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findings } from './findings.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { withoutPicker } from './own-files.ts';
import { shopOfTests } from './shop.ts';

const groupsOf = (page: Page): Locator => page.getByRole('region', { name: 'Groups' });

const addressed = (page: Page, part: string): string | null =>
  new URL(page.url()).searchParams.get(part);

/** The texts of the table, row by row, without its bars. */
async function rowsOf(page: Page): Promise<string[][]> {
  const rows = groupsOf(page).locator('tbody tr');
  return rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll(':scope > :not(.picture)')].map((cell) => cell.textContent ?? ''),
    ),
  );
}

async function choose(page: Page, label: string, choice: string): Promise<void> {
  await groupsOf(page).getByLabel(label, { exact: true }).selectOption({ label: choice });
}

async function sortBy(page: Page, head: string): Promise<void> {
  await groupsOf(page).getByRole('columnheader').getByRole('button', { name: head }).click();
}

describeInBrowser('the records of a view by groups', (browser) => {
  const [demo, shop] = [inject('demo'), shopOfTests()];
  const openShop = async (search: string): Promise<Page> => {
    const { page } = await openSignedIn(browser(), `${shop()}/?model=orders&${search}`);
    await groupsOf(page).getByRole('status').waitFor();
    return page;
  };

  it('are counted and added up, by the name behind a reference, and shared by the address', async () => {
    const url = `${demo}/?model=cities&where=population.gte.1000000`;
    const { page } = await openSignedIn(browser(), url);
    await seeRange(page, 'records 1–50');
    await page.getByRole('button', { name: 'Group by' }).click();
    await choose(page, 'Group 1', 'country.name');
    await expect.poll(async () => (await rowsOf(page))[0]).toEqual(['China', '66']);
    expect(addressed(page, 'group')).toBe('country.name');
    await choose(page, 'Number 1', 'sum of population');
    await expect.poll(() => addressed(page, 'compute')).toBe('sum:population');
    await groupsOf(page)
      .getByText(/^page 1 of \d+, \d+ groups$/)
      .waitFor();
    await expect.poll(async () => (await rowsOf(page))[0]?.[0]).toBe('China');
    const shared = await openSignedIn(browser(), page.url());
    await groupsOf(shared.page).getByText('China').waitFor();
    await groupsOf(page).getByRole('button', { name: 'Show the records' }).click();
    await seeRange(page, 'records 1–50');
  });

  it('are chosen by conditions on their numbers, which the address and the commands have', async () => {
    const url = `${demo}/?model=cities&group=country.name&having=count.gte.9000`;
    const { page } = await openSignedIn(browser(), url);
    await groupsOf(page).getByText('Italy').waitFor();
    expect((await rowsOf(page)).map(([name]) => name)).toEqual(['United States', 'Italy']);
    await groupsOf(page).getByText('page 1 of 1, 2 groups').waitFor();
    await groupsOf(page).getByRole('button', { name: 'Filter groups1' }).click();
    const form = groupsOf(page).getByRole('form', { name: 'Filter of groups' });
    await form.getByLabel('Condition 1: value').fill('1000000');
    await form.getByRole('button', { name: 'Apply' }).click();
    await groupsOf(page).getByText('No group meets the conditions on groups.').waitFor();
    expect(addressed(page, 'having')).toBe('count.gte.1000000');
    await page.getByRole('button', { name: 'Copy as …' }).click();
    await page.getByText('"query_group_filter"').waitFor();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Clear' }).click();
    await groupsOf(page).getByText('Italy').waitFor();
    expect(addressed(page, 'having')).toBeNull();
    await expect.poll(async () => findings(page, ['.groups'])).toEqual([]);
  });

  it('have several attributes and numbers, whose points are below each other', async () => {
    const page = await openShop('group=note');
    await groupsOf(page).getByRole('button', { name: 'Add a group' }).click();
    await choose(page, 'Group 2', 'is_paid');
    for (const [number, choice] of [
      [2, 'sum of amount'],
      [3, 'average of amount'],
      [4, 'greatest of ordered_on'],
      [5, 'number of values of customer_id'],
    ] as const) {
      await groupsOf(page).getByRole('button', { name: 'Add a number' }).click();
      await choose(page, `Number ${number}`, choice);
    }
    await sortBy(page, 'sum of amount');
    const digit = '\u2007';
    await expect
      .poll(async () => rowsOf(page))
      .toEqual([
        ['gift', 'true', '2', `112.5${digit}`, `56.25`, '2026-02-03', '2'],
        ['NULL', 'false', '2', `10.5${digit}`, `5.25`, '2026-03-01', '2'],
        [
          'late',
          'false',
          '1',
          `5\u2008${digit}${digit}`,
          `5\u2008${digit}${digit}`,
          '2026-03-02',
          '0',
        ],
        ['empty text', 'true', '1', '0.25', '0.25', '2026-02-04', '1'],
      ]);
    expect(addressed(page, 'group_sort')).toBe('-sum_amount:nulls-last');
    expect(await findings(page, ['.groups'])).toEqual([]);
    await groupsOf(page).getByRole('button', { name: 'Remove group 1' }).click();
    await expect
      .poll(async () => (await rowsOf(page)).map(([first]) => first))
      .toEqual(['true', 'false']);
  });

  it('by a part of time are a line, by their numbers bars, of the number that the view says', async () => {
    const page = await openShop('group=ordered_on:month&compute=count,sum:amount');
    const line = groupsOf(page).getByRole('img');
    await expect
      .poll(async () => line.getAttribute('aria-label'))
      .toBe('records from 2026-01 to 2026-03');
    const points = async () => line.locator('polyline').getAttribute('points');
    expect(await points()).toMatch(/^0,0 0\.5\d+,0 1,0$/);
    await choose(page, 'Drawn number', 'sum of amount');
    await expect.poll(points).toMatch(/^0,0\.80\d+ 0\.5\d+,0 1,0\.92\d+$/);
    expect(addressed(page, 'picture')).toBe('sum_amount');
    expect(await findings(page, ['.groups'])).toEqual([]);
    await sortBy(page, 'sum of amount');
    await line.waitFor({ state: 'detached' });
    const bars = groupsOf(page).locator('tbody rect');
    const widths = () =>
      bars.evaluateAll((all) => all.map((bar) => Math.round(Number(bar.getAttribute('width')))));
    await expect.poll(widths).toEqual([1000, 200, 80]);
    expect((await rowsOf(page)).map(([month]) => month)).toEqual(['2026-02', '2026-01', '2026-03']);
  });

  it('are exported and copied as groups, in place of their records', async () => {
    const page = await openShop(
      'group=note,is_paid&compute=count,sum:amount&where=is_paid.eq.true',
    );
    await withoutPicker(page);
    const folder = await temporaryFolder();
    for (const [label, extension, text] of [
      [/^CSV/, 'csv', 'note,is_paid,count,sum_amount\r\ngift,true,2,112.5\r\n"",true,1,0.25\r\n'],
      [
        /^JSON lines/,
        'jsonl',
        '{"note":"gift","is_paid":true,"count":"2","sum_amount":"112.5"}\n' +
          '{"note":"","is_paid":true,"count":"1","sum_amount":"0.25"}\n',
      ],
    ] as const) {
      await page.getByRole('button', { name: 'Export …' }).click();
      await page.getByText('All groups under the filter').waitFor();
      await page.getByLabel(label).check();
      const downloading = page.waitForEvent('download');
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
      await page.getByText('Done: 2 groups.').waitFor();
      const file = join(folder, `groups.${extension}`);
      await (await downloading).saveAs(file);
      expect(await readFile(file, 'utf8')).toBe(text);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Copy as …' }).click();
    const shown = page.getByRole('dialog').locator('pre');
    await expect
      .poll(async () => shown.textContent())
      .toContain('"query_groups":["note","is_paid"]');
  });
});
