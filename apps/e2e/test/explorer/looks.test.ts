import { beforeRelease } from '@proj/test-servers';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { chooseOfColumn, openExplorer, openSignedIn, seeRange } from './open-explorer.ts';

const VIEW = 'model=cities&where=population.gte.100000&sort=-population,name';

const LOOKS = beforeRelease
  ? [1280, 768, 360].flatMap((width) => [
      { colorScheme: 'light' as const, width },
      { colorScheme: 'dark' as const, width },
    ])
  : [{ colorScheme: 'dark' as const, width: 1280 }];

/** How far down the pager goes before anything is scrolled. */
async function pagerEnd(page: Page): Promise<number | undefined> {
  return page.locator('.pager').evaluate((pager) => pager.getBoundingClientRect().bottom);
}

describeInBrowser('the explorer', (browser) => {
  const origin = inject('demo');

  describe.each(LOOKS)('in its $colorScheme colours at $width pixels', ({ colorScheme, width }) => {
    const options = { colorScheme, viewport: { width, height: 800 } };
    const openView = async (): Promise<Page> => {
      const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}&size=10`, options);
      await seeRange(page, 'records 1–10');
      return page;
    };

    it('has no finding of axe where it signs in, and in its overview', async () => {
      const start = await openExplorer(browser(), origin, options);
      await start.page.getByLabel('Access token').waitFor();
      expect(await findings(start.page)).toEqual([]);
      const overview = await openSignedIn(browser(), origin, options);
      await overview.page.locator('.references').waitFor();
      expect(await findings(overview.page)).toEqual([]);
    });

    it('has no finding of axe in the table, its panels and its menu', async () => {
      const page = await openView();
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.locator('td').nth(3).click();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Column population' }).click();
      expect(await findings(page, ['[role=menu]', '.panel'])).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Facets' }).click();
      await page.locator('.facet-row').first().waitFor();
      expect(await findings(page, ['.facets'])).toEqual([]);
      // On a small screen they cover the table.
      await page.getByRole('button', { name: 'Close the facets' }).click();
      await page.getByRole('button', { name: 'Open record' }).click();
      await page.locator('aside.record dl').waitFor();
      expect(await findings(page, ['aside.record'])).toEqual([]);
    });

    it('has no finding of axe in its windows', async () => {
      const page = await openView();
      await page.locator('td').nth(3).click();
      await chooseOfColumn(page, 'population', 'Distribution …');
      await page.getByText('Counted over all').waitFor();
      expect(await findings(page, ['dialog'])).toEqual([]);
      await page.keyboard.press('Escape');
      for (const [button, ready] of [
        ['Copy as …', 'The token is read from'],
        ['Views …', 'kept in this browser only'],
        ['Export …', 'All records are of one state'],
        ['Full view', 'characters'],
      ] as const) {
        await page.getByRole('button', { name: button }).click();
        await page.getByText(ready).waitFor();
        expect(await findings(page, ['dialog'])).toEqual([]);
        await page.keyboard.press('Escape');
      }
    });
  });

  it('has no finding of axe where the service reports an error', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&where=population.gte.many&size=5000`,
    );
    await page.getByText('2 errors are marked').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('is usable at 360 pixels: nothing but the table is wider than the screen', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`, {
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
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`);
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
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`, { colorScheme: 'dark' });
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

/** The texts of the bars, row by row. */
async function counts(page: Page): Promise<string[][]> {
  const rows = page.locator('.bars tbody tr');
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );
}

describeInBrowser('the distribution of an attribute', (browser) => {
  const origin = inject('demo');

  it('is counted over the whole list of the view, with one request', async () => {
    const { page, queries } = await openSignedIn(browser(), `${origin}/?${VIEW}`);
    await seeRange(page, 'of 4,442');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await chooseOfColumn(page, 'population', 'Distribution …');
    await page.getByText('Counted over all 4,442 records').waitFor();
    const bars = await counts(page);
    const sum = bars.reduce((total, [, , count]) => total + Number(count?.replaceAll(',', '')), 0);
    expect(sum).toBe(4442);
    expect(asked.filter((path) => path.endsWith('/dynamic/facets'))).toHaveLength(1);
    expect(queries.filter(({ query_attributes: [name] }) => name === 'population')).toEqual([]);
    const measures = await page.locator('.measures').textContent();
    expect(measures).toContain('Greatest22315474');
  });

  it('of a text has the most frequent values of the list, and a bar filters the view', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&where=country_code.in.CH,LI,AT&sort=-country_code,id`,
    );
    await seeRange(page, 'records 1–50');
    await chooseOfColumn(page, 'country_code', 'Distribution …');
    await page.getByText('Counted over all').waitFor();
    const bars = await counts(page);
    expect(bars.map(([label]) => label)).toEqual(['AT', 'CH', 'LI']);
    await page.getByRole('button', { name: 'LI', exact: true }).click();
    await seeRange(page, `of ${bars[2]?.[2]}`);
    expect(new URL(page.url()).search).toContain('where=country_code.eq.LI');
  });

  it('is saved as a picture', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=countries`);
    await seeRange(page, 'of 252');
    await chooseOfColumn(page, 'continent_code', 'Distribution …');
    const downloading = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Save as SVG' }).click();
    expect((await downloading).suggestedFilename()).toBe('countries-continent_code.svg');
  });
});
