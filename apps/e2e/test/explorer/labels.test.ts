import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { CLERK, shopOfTests } from './shop.ts';

describeInBrowser('a key of another record', (browser) => {
  const origin = shopOfTests();

  it('shows what the settings say people know the record by, or itself where that is NULL', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, 'of 6');
    expect(await columnTexts(page, 'customer_id')).toEqual([
      'ada@example.com',
      'ada@example.com',
      'bo@example.com',
      'bo@example.com',
      '3',
      'NULL',
    ]);
    await page.locator('td.reference').first().dblclick();
    await page.locator('aside.record').getByRole('heading', { name: 'ada@example.com' }).waitFor();
  });

  it('shows the name of the record to who does not see what the settings say', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`, {}, CLERK);
    await seeRange(page, 'of 6');
    expect((await columnTexts(page, 'customer_id')).slice(0, 5)).toEqual([
      'Ada',
      'Ada',
      'Bo',
      'Bo',
      'Cy',
    ]);
  });
});
