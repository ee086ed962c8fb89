import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openSignedIn, type SentQuery, seeRange } from './open-explorer.ts';

describeInBrowser('a list that takes long to count', (browser) => {
  const origin = inject('demo');

  /** Opens the cities, of which the service counts none until the test says so. */
  async function openSlow() {
    const counted = Promise.withResolvers<'counted' | 'failed'>();
    const explorer = await openSignedIn(browser(), `${origin}/?model=countries&size=10`);
    const { page } = explorer;
    await page.route('**/dynamic/query', async (route) => {
      const { query_model: model, query_total: total }: SentQuery = route.request().postDataJSON();
      if (model === 'cities' && total === undefined && (await counted.promise) === 'failed') {
        await route.fulfill({ status: 500, body: '' }).catch(() => undefined);
        return;
      }
      // The page may have given the request up meanwhile.
      await route.continue().catch(() => undefined);
    });
    await seeRange(page, 'records 1–10');
    await page.locator('.models').getByText('cities', { exact: true }).click();
    return { ...explorer, counted };
  }

  it('shows its records at once, has a pager meanwhile, and then the total', async () => {
    const { page, counted } = await openSlow();
    await seeRange(page, 'records 1–10 counting …');
    expect(await page.locator('tbody tr').count()).toBe(10);
    const last = page.getByRole('button', { name: 'Last page' });
    expect(await last.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next page' }).click();
    await seeRange(page, 'records 11–20 counting …');
    counted.resolve('counted');
    await seeRange(page, 'records 11–20 of 135,233');
    expect(await last.isDisabled()).toBe(false);
  });

  it('says that it was not counted where the count fails, and keeps its pager', async () => {
    const { page, counted } = await openSlow();
    await seeRange(page, 'records 1–10 counting …');
    counted.resolve('failed');
    await seeRange(page, 'records 1–10 (not counted)');
    await page.getByRole('button', { name: 'Next page' }).click();
    await seeRange(page, 'records 11–20 (not counted)');
    expect(await page.locator('tbody tr').count()).toBe(10);
  });
});
