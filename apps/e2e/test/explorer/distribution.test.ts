import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { LARGE_CITIES, chooseOfColumn, openSignedIn, seeRange } from './open-explorer.ts';

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
    const { page, queries } = await openSignedIn(browser(), `${origin}/?${LARGE_CITIES}`);
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
