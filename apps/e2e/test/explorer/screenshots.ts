import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, openSignedIn, seeRange } from './open-explorer.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/explorer/', import.meta.url));
const MOST_BYTES = 200_000;
const VIEW =
  'model=cities&attributes=name,country_code,country.continent.name,population,feature_code,latitude,longitude&where=population.gte.100000&sort=-population,name';
const GROUPS =
  'model=cities&where=population.gte.100000&group=country.continent.name,country.name' +
  '&compute=count,sum:population';

const STATES = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['narrow', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
] as const;

describeInBrowser('the pictures of the documentation', (browser) => {
  const origin = inject('demo');

  it.each(STATES)('%s', async (name, options) => {
    const { page } = await openSignedIn(browser(), `${origin}/?${VIEW}`, options);
    await seeRange(page, 'records 1–50');
    if (name !== 'narrow') {
      await page.locator('.total', { hasText: '317' }).waitFor();
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.locator('td[data-row="2"][data-column="0"]').click();
    }
    if (name === 'dark') {
      await chooseOfColumn(page, 'population', 'Distribution …');
      await page.getByText('Counted over all').waitFor();
    }
    expect(await shoot(page, name)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('groups', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?${GROUPS}`, STATES[0][1]);
    await page.locator('.groups tbody tr').nth(9).waitFor();
    await page.locator('.total', { hasText: '317' }).waitFor();
    expect(await shoot(page, 'groups')).toBeLessThanOrEqual(MOST_BYTES);
  });
});

/** Writes a picture of the page; the answer is how many bytes it has. */
async function shoot(page: Page, name: string): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  return statSync(path).size;
}
