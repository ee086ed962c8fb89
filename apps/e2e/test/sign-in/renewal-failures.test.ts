import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange, seeTotals } from '../explorer/open-explorer.ts';
import {
  allow,
  openShop,
  searchFor,
  shopOfWorker,
  signInAtProvider,
  turnPage,
} from './explorer-with-provider.ts';

describeInBrowser('an access token that cannot be renewed', (browser) => {
  it('has its list wait where the provider is away, until it is back', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await page.clock.install();
    await signInAtProvider(page);
    await shop.provider.pause();
    await page.clock.fastForward('01:00:01');
    await turnPage(page);
    const away = page.getByText(`${new URL(shop.provider.issuer).host} did not answer.`);
    await away.first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await shop.provider.resume();
    await page
      .getByRole('button', { name: /^Retry/ })
      .first()
      .click();
    await seeRange(page, 'records 51–100 of 120');
  });

  it('is asked for anew in a dialog where nothing renews it, and the view goes on', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    await seeTotals(page);
    await shop.provider.revoke();
    shop.provider.state.audience = 'shop-api';
    await shop.expectAudience('shop-api');
    const dialog = page.getByRole('dialog', { name: 'The token is no longer accepted' });
    await searchFor(page, 'note 120');
    await dialog.waitFor();
    const view = page.url();
    await dialog.getByRole('button', { name: /^Sign in with/ }).click();
    await allow(page);
    await seeRange(page, 'record 1 of 1');
    expect(page.url()).toBe(view);
    expect(new URL(view).searchParams.get('search')).toBe('note 120');
  });
});
