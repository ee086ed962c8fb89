import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import {
  allow,
  goToProvider,
  openShop,
  seeReason,
  shopOfWorker,
} from './explorer-with-provider.ts';
import type { ProviderState } from './openid-provider.ts';

describeInBrowser('a sign-in that fails', (browser) => {
  it('says so where the reader does not allow it, and may be tried again', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await goToProvider(page);
    await page.getByRole('link', { name: '[ Cancel ]' }).click();
    await seeReason(page, shop, 'was not allowed to sign you in here');
    expect(new URL(page.url()).search).toBe('?model=orders&size=50');
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await allow(page);
    await seeRange(page, 'records 1–50 of 120');
  });

  it.each(['another state', 'no sign-in'])(
    'takes no reply that comes with %s, and asks the provider for nothing',
    async (which) => {
      const shop = await shopOfWorker();
      const { page } = await openShop(browser(), shop);
      if (which === 'another state') await goToProvider(page);
      await page.goto(`${shop.origin}/?code=stolen&state=made-up`);
      await seeReason(page, shop, 'belongs to no sign-in of this tab');
      expect(shop.provider.grants).toEqual([]);
    },
  );

  it.each<[string, Partial<ProviderState>, string]>([
    [
      'whom the token is for, and whom the service takes tokens for',
      { audience: ['account'] },
      'is meant for “account”, and the service takes those for “dynamic-query”',
    ],
    ['that the reader may have no role', { roles: ['somebody'] }, 'You may have no role here'],
  ])('says %s', async (_, state, reason) => {
    const shop = await shopOfWorker();
    Object.assign(shop.provider.state, state);
    const { page } = await openShop(browser(), shop);
    await goToProvider(page);
    await allow(page);
    await seeReason(page, shop, reason);
    expect(shop.provider.grants).toEqual(['authorization_code']);
  });
});
