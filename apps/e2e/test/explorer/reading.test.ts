import { beforeRelease } from '@proj/test-servers';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { seeFocus } from './keyboard.ts';
import { chooseOfColumn, openSignedIn, seeRange } from './open-explorer.ts';
import { shopOfTests } from './shop.ts';

/** The narrowest has the least room. */
const WIDTHS = beforeRelease ? [1280, 768, 360] : [360];

/** What of the page lies over another part of it, of these pairs within one row. */
async function overlaps(
  rows: Locator,
  [left, right]: readonly [string, string],
): Promise<string[]> {
  return rows.evaluateAll(
    (all, [first, second]) =>
      all.flatMap((row) => {
        const [label, count] = [row.querySelector(first), row.querySelector(second)];
        if (label === null || count === null) return ['a part is missing'];
        const [a, b] = [label.getBoundingClientRect(), count.getBoundingClientRect()];
        const isApart =
          a.right <= b.left + 0.5 && b.right <= row.getBoundingClientRect().right + 0.5;
        const isOneLine = a.height <= row.getBoundingClientRect().height;
        return isApart && isOneLine ? [] : [row.textContent ?? ''];
      }),
    [left, right] as const,
  );
}

describeInBrowser('a list that is read', (browser) => {
  const origin = shopOfTests();
  const open = async (search: string, width = 1280): Promise<Page> => {
    const viewport = { width, height: 800 };
    const { page } = await openSignedIn(browser(), `${origin()}/?${search}`, { viewport });
    return page;
  };

  it('is scrolled to the row of a shared record', async () => {
    const page = await open('model=books&record=142');
    await seeRange(page, 'records 101–150 of 300');
    const row = page.locator('tr.open');
    await row.waitFor();
    const frame = page.locator('.table-frame');
    const top = await page.locator('thead').evaluate((head) => head.getBoundingClientRect().bottom);
    const end = await frame.evaluate((node) => node.getBoundingClientRect().bottom);
    await expect.poll(async () => (await row.boundingBox())?.y ?? 0).toBeLessThan(end - 25);
    expect((await row.boundingBox())?.y).toBeGreaterThanOrEqual(top);
    const before = await frame.evaluate((node) => node.scrollTop);
    await page.getByRole('button', { name: '141', exact: true }).click();
    await page.getByRole('complementary', { name: 'Record books 141' }).waitFor();
    expect(await frame.evaluate((node) => node.scrollTop)).toBe(before);
  });

  it.each(WIDTHS)(
    'shows each label beside its count at %i pixels, however long it is',
    async (width) => {
      const page = await open('model=books', width);
      await seeRange(page, 'of 300');
      await page.getByRole('button', { name: 'Facets' }).click();
      // Values that come in move what is below them, which a click may miss.
      await page.locator('.facets[aria-busy="false"] .facet-row').first().waitFor();
      await page.getByRole('button', { name: 'title', exact: true }).click();
      await page.getByRole('button', { name: /^A very long title/ }).waitFor();
      const rows = page.locator('.facet-row');
      expect(await overlaps(rows, ['.label', '.total'])).toEqual([]);
      await page.getByRole('button', { name: 'Close the facets' }).click();
      if (width < 1280) await page.getByRole('button', { name: 'Models', exact: true }).click();
      expect(await overlaps(page.locator('.models li a'), ['.name', '.total'])).toEqual([]);
      await page.goto(`${origin()}/?model=books&attributes=title`);
      await seeRange(page, 'of 300');
      await chooseOfColumn(page, 'title', 'Distribution …');
      await page.getByText('Counted over all 300').waitFor();
      const bars = page.locator('.bars tbody tr');
      expect(await overlaps(bars, ['th', '.picture'])).toEqual([]);
      expect(await overlaps(bars, ['.picture', '.number'])).toEqual([]);
      const dialog = page.getByRole('dialog');
      expect(await dialog.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(false);
    },
  );

  it('has one line a row, which shows letters of JSON as such, and the whole value on hover', async () => {
    const page = await open('model=books&attributes=id,title,notes&sort=id&size=10');
    await seeRange(page, 'records 1–10');
    const cell = (column: number) => page.locator(`td[data-row="0"][data-column="${column}"]`);
    expect(await cell(1).textContent()).toBe('first line↵second line');
    expect(await cell(1).getAttribute('title')).toBe('first line\nsecond line');
    expect(await cell(2).textContent()).toBe('{1} {"city":"Zürich"}');
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    await cell(2).click();
    await page.getByLabel('Chosen cell').getByText('{"city":"Zürich"}').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Value', { exact: true }).getByText('"city": "Zürich"').waitFor();
  });

  it('says of a filter that is refused which attribute, operator and value it was, as its form does', async () => {
    const page = await open('model=books&where=pages.gte.many&where=title.eq.a');
    await page.getByText('pages ≥ “many”: this is not a whole number.').waitFor();
    await page.getByRole('button', { name: 'Facets' }).click();
    await page.locator('.facets .banner').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/\/query_|2\^53/);
    expect(await findings(page, ['.facets', '.panel'])).toEqual([]);
  });

  it('stays wide enough at 768 pixels beside an open record and with facets', async () => {
    const page = await open('model=books&record=3', 768);
    await page.locator('aside.record dl').waitFor();
    const width = async () => page.locator('.table-frame').evaluate((node) => node.clientWidth);
    expect(await width()).toBeGreaterThanOrEqual(440);
    await page.getByRole('button', { name: 'Facets' }).click();
    await expect.poll(width).toBeGreaterThanOrEqual(440);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
    expect(await findings(page)).toEqual([]);
  });

  it('is searched from anywhere by the key /, and ? lists the keys that it takes', async () => {
    const page = await open('model=books&size=10');
    await seeRange(page, 'records 1–10');
    const cell = page.locator('td[data-row="0"][data-column="0"]');
    await cell.click();
    await page.keyboard.press('/');
    const search = page.getByLabel('Search records');
    await seeFocus(page, search);
    await page.keyboard.type('a/b?');
    expect(await search.inputValue()).toBe('a/b?');
    await cell.click();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Open the record').waitFor();
    expect(await findings(page, ['dialog'])).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await seeFocus(page, cell);
    expect(await list.count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await seeFocus(page, page.locator('td[data-row="1"][data-column="0"]'));
  });
});
