import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { button, focusFault, seeFocus, tabTo, takesFocusAtOnce } from './keyboard.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';

/** What Tab finds that is neither in the panel nor in the head of the page, which it leaves free. */
async function stopsBeside(page: Page, panel: string): Promise<string[]> {
  const stops: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(`:focus:not(body, .top *, ${panel} *)`);
    stops.push(...(await focused.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))));
  }
  return stops;
}

describeInBrowser('by keyboard alone, where something opens', (browser) => {
  const origin = inject('demo');
  const open = async (search: string): Promise<Page> => {
    const { page } = await openSignedIn(browser(), `${origin}/?${search}`);
    await seeRange(page, 'of');
    return page;
  };

  it('a panel that covers a small screen has the focus alone until it closes', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&size=10&attributes=code,name`,
      { viewport: { width: 360, height: 740 } },
    );
    await seeRange(page, 'records 1–10');
    const facets = button(page, 'Facets');
    await tabTo(page, facets);
    await page.keyboard.press('Enter');
    await page.locator('.facets:focus').waitFor();
    expect(await stopsBeside(page, '.facets')).toEqual([]);
    await tabTo(page, button(page, 'Close the facets'));
    await page.keyboard.press('Enter');
    await seeFocus(page, facets);
    await tabTo(page, page.locator('td').first());
    await page.keyboard.press('Space');
    await page.locator('aside.record:focus').waitFor();
    expect(await stopsBeside(page, 'aside.record')).toEqual([]);
    await tabTo(page, button(page, 'Close the record'));
    await page.keyboard.press('Escape');
    await seeFocus(page, page.locator('td').first());
  });

  it.each([
    { name: 'Views …', place: 'dialog' },
    { name: 'Facets', place: '.facets' },
  ])('$place has the focus before the next key is pressed', async ({ name, place }) => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=countries&size=10`, {
      viewport: { width: 360, height: 740 },
    });
    await seeRange(page, 'records 1–10');
    const press = async () => button(page, name).press('Enter');
    expect(await takesFocusAtOnce(page, place, press)).toBe(true);
  });

  it('a record opens from its cell, leads on, and closes to the cell', async () => {
    const page = await open('model=cities&attributes=id,name&size=10');
    const cell = (row: number) => page.locator(`td[data-row="${row}"][data-column="0"]`);
    await tabTo(page, cell(0));
    await page.keyboard.press('Space');
    const link = page.locator('aside.record').getByRole('link', { name: 'countries →' });
    await link.waitFor();
    await seeFocus(page, cell(0));
    await page.keyboard.press('ArrowDown');
    await seeFocus(page, cell(1));
    await link.waitFor();
    await tabTo(page, link);
    await page.keyboard.press('Escape');
    await seeFocus(page, cell(1));
    expect(await page.locator('aside.record').count()).toBe(0);
  });

  it('each window keeps the focus until it closes to its button', async () => {
    const page = await open('model=countries&size=10');
    for (const [name, inside] of [
      ['Copy as …', 'Copy'],
      ['Views …', 'Close'],
      ['Export …', 'Export'],
    ] as const) {
      const opener = button(page, name);
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await tabTo(page, dialog.getByRole('button', { name: inside, exact: true }));
      await page.keyboard.press('Escape');
      await seeFocus(page, opener);
      expect(await dialog.count()).toBe(0);
    }
  });

  it('a window that opens before the last one has heard of its end stays open', async () => {
    const page = await open('model=countries&size=10');
    await button(page, 'Views …').press('Enter');
    await page.getByRole('dialog').waitFor();
    await button(page, 'Export …').evaluate((opener: HTMLElement) => {
      document.querySelector('dialog')?.close();
      opener.click();
    });
    await page.getByRole('dialog', { name: 'Export countries' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('an export ends, and its window closes to its button', async () => {
    const page = await open('model=continents');
    const opener = button(page, 'Export …');
    await page.evaluate(() =>
      Object.defineProperty(globalThis, 'showSaveFilePicker', { value: undefined }),
    );
    await tabTo(page, opener);
    await page.keyboard.press('Enter');
    const start = page.getByRole('dialog').getByRole('button', { name: 'Export' });
    await start.waitFor();
    await tabTo(page, start);
    await page.keyboard.press('Enter');
    await page.getByText('Done: 7 records.').waitFor();
    await seeFocus(page, start);
    await page.keyboard.press('Escape');
    await seeFocus(page, opener);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('Tab goes through everything that is open, from the first to the last', async () => {
    const page = await open('model=countries&size=10&attributes=code,name&record=CH');
    await page.locator('aside.record dl').waitFor();
    await button(page, 'Facets').click();
    await page.locator('.facet-row').first().waitFor();
    await button(page, /^Filter/).click();
    await page.getByLabel('Condition 1: value').waitFor();
    await page.locator('.brand').focus();
    const seen: string[] = [];
    const focused = async () =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at === document.body || at === null ? '' : at.outerHTML;
      });
    for (let at = await focused(); at !== '' && seen.length < 150; at = await focused()) {
      seen.push(at);
      await page.keyboard.press('Tab');
      expect(await focusFault(page)).toBeNull();
    }
    const order = ['brand', 'Search models', 'Search records', 'Condition 1: value', 'facet-row']
      .concat(['Column name', 'data-row="0"', 'Close the record', 'Next page'])
      .map((part) => seen.findIndex((text) => text.includes(part)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(seen.length).toBeLessThan(150);
  });
});
