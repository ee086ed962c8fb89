import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openExplorer, openSignedIn, seeRange } from './open-explorer.ts';

const FOLDER = process.env['GALLERY'] ?? fileURLToPath(new URL('../../gallery/', import.meta.url));
const VIEW = 'model=cities&where=population.gte.100000&sort=-population,name';
const GROUPS = `${VIEW}&where=any(country_code.eq.CH%3Bnone(name.icontains.a%5C%3Bname.icontains.e))`;

const WIDTHS = [1280, 768, 360] as const;
const COLOURS = ['light', 'dark'] as const;

/** What is seen, at which address, and what is done before. */
const STATES: readonly (readonly [string, string, ((page: Page) => Promise<unknown>)?])[] = [
  ['overview', ''],
  ['table', VIEW, async (page) => seeRange(page, 'records 1–50')],
  [
    'filter',
    GROUPS,
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.getByRole('button', { name: 'Filter', exact: false }).first().click();
      await page.getByLabel('Condition 1: value').waitFor();
    },
  ],
  [
    'menu',
    `${VIEW}&size=10`,
    async (page) => {
      await page.locator('td').first().click();
      await page.getByRole('button', { name: 'Column population' }).click();
    },
  ],
  ['record', `${VIEW}&record=745044`, async (page) => page.locator('aside.record dl').waitFor()],
  [
    'facets',
    'model=countries',
    async (page) => {
      await seeRange(page, 'of 252');
      await page.getByRole('button', { name: 'Facets' }).click();
      await page.locator('.facet-row').first().waitFor();
    },
  ],
  [
    'distribution',
    VIEW,
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.getByRole('button', { name: 'Column name' }).click();
      await page.getByRole('menu').getByText('Distribution …').click();
      await page.getByText('Counted over all').waitFor();
    },
  ],
  [
    'error',
    'model=cities&where=population.gte.many&size=5000',
    async (page) => page.getByText('2 errors are marked').waitFor(),
  ],
  [
    'empty',
    'model=cities&where=name.eq.nowhere',
    async (page) => page.getByText('No record meets').waitFor(),
  ],
];

const CASES = COLOURS.flatMap((colorScheme) =>
  WIDTHS.map((width) => [width, colorScheme] as const),
);

describeInBrowser('the gallery', (browser) => {
  const origin = inject('demo');

  it.each(CASES)('%i %s', async (width, colorScheme) => {
    mkdirSync(FOLDER, { recursive: true });
    const options = { colorScheme, viewport: { width, height: width === 360 ? 740 : 800 } };
    const shoot = async (page: Page, name: string): Promise<unknown> =>
      page.screenshot({ path: `${FOLDER}/${name}-${width}-${colorScheme}.png` });
    const { page: signIn } = await openExplorer(browser(), `${origin}/`, options);
    await signIn.getByLabel('Access token').waitFor();
    await shoot(signIn, 'sign-in');
    for (const [name, search, prepare] of STATES) {
      const { page } = await openSignedIn(browser(), `${origin}/?${search}`, options);
      await (prepare ?? (async () => page.locator('.overview').getByText('135,233').waitFor()))(
        page,
      );
      await shoot(page, name);
    }
    expect(readdirSync(FOLDER).length).toBeGreaterThan(STATES.length);
  });
});
