import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { LARGE_CITIES, openSignedIn, seeRange } from './open-explorer.ts';

/** How far down the pager goes before anything is scrolled. */
async function pagerEnd(page: Page): Promise<number | undefined> {
  return page.locator('.pager').evaluate((pager) => pager.getBoundingClientRect().bottom);
}

describeInBrowser('the layout of the explorer', (browser) => {
  const origin = inject('demo');

  it('is usable at 360 pixels: nothing but the table is wider than the screen', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?${LARGE_CITIES}`, {
      viewport: { width: 360, height: 740 },
    });
    await seeRange(page, 'records 1–50');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await pagerEnd(page)).toBeLessThanOrEqual(740);
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole('button', { name: 'Next page' }).click();
    await seeRange(page, 'records 51–100');
    await page.getByRole('button', { name: 'Models' }).click();
    await page
      .locator('.models')
      .getByRole('link', { name: /^continents/ })
      .click();
    await seeRange(page, 'records 1–7 of 7');
    expect(await findings(page)).toEqual([]);
  });

  it('has its table at whole pixels, so that fixed and other cells of a row meet', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?${LARGE_CITIES}`);
    await seeRange(page, 'records 1–50');
    const tops = async (): Promise<number[]> =>
      page
        .locator('.table-frame, tbody tr:nth-child(2) > *')
        .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().y % 1));
    for (const button of ['Filter', 'Columns']) {
      expect(new Set(await tops())).toEqual(new Set([0]));
      await page.getByRole('button', { name: button }).click();
      await page.locator('.panel').waitFor();
    }
    expect(new Set(await tops())).toEqual(new Set([0]));
  });

  it('follows the colours of the device until the reader chooses, and remembers the choice', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?${LARGE_CITIES}`, {
      colorScheme: 'dark',
    });
    const ground = async () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    expect(await ground()).toBe(dark);
    await page.reload();
    expect(await ground()).toBe(dark);
  });
});
