import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page, Route } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { LARGE_CITIES, openAlone, openExplorer, seeRange } from './open-explorer.ts';
import { tabTo } from './keyboard.ts';
import { refusalOfService } from './refusal.ts';

const FOLDER = process.env['GALLERY'] ?? fileURLToPath(new URL('../../gallery/', import.meta.url));
const GROUPS = `${LARGE_CITIES}&where=any(country_code.eq.CH%3Bnone(name.icontains.a%5C%3Bname.icontains.e))`;

const WIDTHS = [1280, 768, 360] as const;
const COLOURS = ['light', 'dark'] as const;

/** Opens a model whose records are not answered, or as this says. */
async function openUnanswered(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.locator('.overview').getByText('135,233').waitFor();
  await page.route('**/dynamic/{query,facets}', answer);
  await page.locator('.overview').getByRole('link', { name: 'cities' }).first().click();
}

async function fail(route: Route): Promise<void> {
  const problem = { type: 'about:blank', title: 'Failed', status: 500, detail: 'A read failed.' };
  await route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    body: JSON.stringify(problem),
  });
}

/** What is seen, at which address, and what is done before. */
const STATES: readonly (readonly [string, string, ((page: Page) => Promise<unknown>)?])[] = [
  ['overview', ''],
  ['table', LARGE_CITIES, async (page) => seeRange(page, 'records 1–50')],
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
    `${LARGE_CITIES}&size=10`,
    async (page) => {
      await page.locator('td').first().click();
      await page.getByRole('button', { name: 'Column population' }).click();
    },
  ],
  [
    'columns',
    'model=cities&attributes=name,country.continent.name',
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.locator('summary', { hasText: 'country' }).first().click();
    },
  ],
  [
    'references',
    'model=countries&attributes=code,name,continent_code,continent.name,part_of_code,capital',
    async (page) => seeRange(page, 'records 1–50'),
  ],
  ['truths', 'model=languages', async (page) => seeRange(page, 'records 1–50')],
  [
    'groups',
    'model=countries&group=continent.name',
    async (page) => page.locator('.groups tbody tr').nth(2).waitFor(),
  ],
  [
    'record',
    `${LARGE_CITIES}&record=745044`,
    async (page) => page.locator('aside.record dl').waitFor(),
  ],
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
    LARGE_CITIES,
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
  [
    'loading',
    '',
    async (page) => {
      await openUnanswered(page, async () => undefined);
      await page.getByText('Reading the records …').waitFor();
    },
  ],
  [
    'limited',
    '',
    async (page) => {
      const refusal = await refusalOfService();
      const headers = { ...refusal.headers, 'retry-after': '42' };
      await openUnanswered(page, async (route) => route.fulfill({ ...refusal, headers }));
      await page.getByText('The rate limit is reached.').waitFor();
    },
  ],
  [
    'failed',
    '',
    async (page) => {
      await openUnanswered(page, fail);
      await page.getByText('The service answered 500').first().waitFor();
    },
  ],
  [
    'facets-failed',
    LARGE_CITIES,
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.route('**/dynamic/facets', fail);
      await page.getByRole('button', { name: 'Facets' }).click();
      await page.locator('.facets .banner').waitFor();
    },
  ],
  [
    'record-failed',
    LARGE_CITIES,
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.route('**/dynamic/query', fail);
      await page.getByRole('button', { name: '2', exact: true }).click();
      await page.locator('.record .banner').waitFor();
    },
  ],
  [
    'export',
    LARGE_CITIES,
    async (page) => {
      await seeRange(page, 'records 1–50');
      await page.getByRole('button', { name: 'Export …' }).click();
      await page.getByText('All records are of one state').waitFor();
    },
  ],
  [
    'focus',
    'model=countries&size=10&attributes=code,name',
    async (page) => {
      await seeRange(page, 'records 1–10');
      const column = page.getByRole('button', { name: 'Column name' });
      await tabTo(page, column);
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
    },
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
      const { page } = await openAlone(browser(), `${origin}/?${search}`, options);
      await (prepare ?? (async () => page.locator('.overview').getByText('135,233').waitFor()))(
        page,
      );
      await shoot(page, name);
      // A page that is open watches its list; the browser has six connections for all of them.
      await page.context().close();
    }
    expect(readdirSync(FOLDER).length).toBeGreaterThan(STATES.length);
  });
});
