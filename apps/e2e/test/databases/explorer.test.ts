import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { columnTexts, openSignedIn, seeRange } from '../explorer/open-explorer.ts';
import { startOverTwoFiles } from './two-files.ts';

describeInBrowser('the explorer over two databases', (browser) => {
  it('shows the models of both, and follows a reference within its database', async () => {
    const service = await startOverTwoFiles();
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${service.origin}/?model=crm.orders`,
    );
    await seeRange(page, 'of 2');
    expect(await columnTexts(page, 'customer_id')).toEqual(['Ann', 'Ann']);
    await page.locator('td.reference').first().dblclick();
    await page.locator('aside.record').getByRole('heading', { name: 'Ann' }).waitFor();
    await page.goto(`${service.origin}/?model=shop.orders`);
    await seeRange(page, 'of 3');
    expect(pageQueries().map(({ query_model }) => query_model)).toEqual(
      expect.arrayContaining(['crm.orders', 'shop.orders']),
    );
  });
});
