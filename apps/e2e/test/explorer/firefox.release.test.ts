import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInFirefox } from '../firefox.ts';
import { findings } from './findings.ts';
import { seeFocus, tabTo } from './keyboard.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

const WIDTHS = [1280, 768, 360] as const;

const scrollWidth = async (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

for (const colorScheme of ['light', 'dark'] as const)
  describeInFirefox(`the explorer in Firefox ESR, ${colorScheme}`, colorScheme, (opened) => {
    const origin = inject('demo');

    const open = async (search: string, width: number): Promise<Page> => {
      const options = { viewport: { width, height: 740 } };
      const { page } = await openSignedIn(opened().browser, `${origin}/${search}`, options);
      return page;
    };

    it.each(WIDTHS)('finds a model, and a record of it, at %i pixels', async (width) => {
      const page = await open('', width);
      const isDark = async () =>
        page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
      expect(await isDark()).toBe(colorScheme === 'dark');
      await page
        .getByRole('row', { name: /^countries/ })
        .getByRole('link')
        .first()
        .click();
      await seeRange(page, 'of 252');
      await page.getByLabel('Search records').fill('bern');
      await page.getByLabel('Search records').press('Enter');
      await seeRange(page, 'of 1');
      expect(await columnTexts(page, 'name')).toContain('Switzerland');
      expect(await scrollWidth(page)).toBe(width);
    });

    it.each(WIDTHS)('filters, and suggests values, at %i pixels', async (width) => {
      const page = await open('?model=countries', width);
      await seeRange(page, 'of 252');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Condition 1: attribute').selectOption('code');
      await page.getByLabel('Condition 1: operator').selectOption('=');
      await page.getByLabel('Condition 1: value').fill('CH');
      const suggested = page.locator('datalist option[value="CH"]');
      await suggested.waitFor({ state: 'attached' });
      await page.getByLabel('Condition 1: value').press('Enter');
      await seeRange(page, 'of 1');
      expect(await columnTexts(page, 'name')).toEqual(['Switzerland']);
      expect(await scrollWidth(page)).toBe(width);
    });

    it.each(WIDTHS)(
      'opens a record, and follows what it refers to, at %i pixels',
      async (width) => {
        const view = 'attributes=name&where=population.gte.10000000&sort=-population';
        const page = await open(`?model=cities&${view}`, width);
        await seeRange(page, 'of 15');
        await page.getByRole('button', { name: '2', exact: true }).click();
        const city = page.getByRole('complementary', { name: 'Record cities 745044' });
        await city.getByText('14804116').waitFor();
        await city.getByRole('link', { name: 'countries →' }).click();
        const country = page.getByRole('complementary', { name: 'Record countries TR' });
        await country.getByText('Ankara').waitFor();
        expect(await scrollWidth(page)).toBe(width);
      },
    );

    it.each(WIDTHS)('opens a shared record on its page, at %i pixels', async (width) => {
      const page = await open('?model=countries&sort=-name&size=10&record=CH', width);
      // On a small screen the record covers its table.
      await page.locator('tr.open').waitFor({ state: 'attached' });
      expect(await page.locator('tr.open td').allTextContents()).toContain('Switzerland');
    });

    it.each(WIDTHS)('exports the records of a view to a file, at %i pixels', async (width) => {
      const file = join(opened().downloads, 'countries.csv');
      await rm(file, { force: true });
      const page = await open('?model=countries&attributes=code,name&sort=-code&size=10', width);
      await seeRange(page, 'of 252');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByText('Done: 252 records.').waitFor();
      // Firefox gives a download by a link no navigation, without which Playwright reports none.
      await expect.poll(() => existsSync(file) && statSync(file).size).toBeGreaterThan(0);
      const lines = readFileSync(file, 'utf8').split('\r\n');
      expect(lines).toHaveLength(254);
      expect(lines.slice(0, 2)).toEqual(['code,name', 'ZW,Zimbabwe']);
    });

    it.each(WIDTHS)('is used by keyboard alone, at %i pixels', async (width) => {
      const page = await open('?model=cities&size=10', width);
      await seeRange(page, 'records 1–10');
      const filter = page.getByRole('button', { name: 'Filter' });
      await tabTo(page, filter);
      await page.keyboard.press('Enter');
      await seeFocus(page, page.getByLabel('Condition 1: value'));
      await page.keyboard.press('Escape');
      await seeFocus(page, filter);
      const column = page.getByRole('button', { name: 'Column name', exact: true });
      await tabTo(page, column);
      await page.keyboard.press('Enter');
      await seeFocus(page, page.getByRole('menuitemradio', { name: 'Sort ascending' }));
      await page.keyboard.press('Escape');
      await seeFocus(page, column);
      expect(await page.getByRole('menu').count()).toBe(0);
    });

    it.each(WIDTHS)('has no finding of axe, at %i pixels', async (width) => {
      const page = await open('?model=countries&size=10', width);
      await seeRange(page, 'records 1–10');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Condition 1: value').waitFor();
      expect(await findings(page)).toEqual([]);
      await chooseOfColumn(page, 'continent_code', 'Distribution …');
      await page.getByText('Counted over all').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Facets' }).click();
      await page.locator('.facet-row').first().waitFor();
      expect(await findings(page)).toEqual([]);
    });
  });
