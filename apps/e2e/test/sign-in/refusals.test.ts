import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import {
  allow,
  goToProvider,
  openShop,
  policyOf,
  type ShopOptions,
  type ShopWithProvider,
  ownShop,
  shopOfWorker,
  signInAtProvider,
} from './explorer-with-provider.ts';
import type { ProviderState } from './openid-provider.ts';
import { GOOGLE } from './provider-shapes.ts';

/** Waits for the reason that the page gives, and checks that nothing is left of the attempt. */
async function seeReason(page: Page, { origin }: ShopWithProvider, text: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).waitFor();
  expect(page.url()).not.toMatch(/code=|state=|error=/);
  expect(page.url().startsWith(origin)).toBe(true);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.getByRole('button', { name: /^Sign in with 127/ }).waitFor();
}

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

  it.each<[string, Partial<ProviderState>, ShopOptions | null, string]>([
    [
      'whom the token is for, and whom the service takes tokens for',
      { audience: ['account'] },
      null,
      'is meant for “account”, and the service takes those for “dynamic-query”',
    ],
    [
      'that the reader may have no role',
      { roles: ['somebody'] },
      null,
      'You may have no role here',
    ],
    [
      'that the service cannot verify access tokens of the shape of Google',
      {},
      { shape: GOOGLE },
      'an access token that is not a JWT',
    ],
  ])('says %s', async (_, state, options, reason) => {
    const shop = await (options === null ? shopOfWorker() : ownShop(options));
    Object.assign(shop.provider.state, state);
    const { page } = await openShop(browser(), shop);
    await goToProvider(page);
    await allow(page);
    await seeReason(page, shop, reason);
    expect(shop.provider.grants).toEqual(['authorization_code']);
  });

  it('says what the provider has against the request', async () => {
    const shop = await ownShop({ parameters: { prompt: 'none' } });
    const { page } = await openShop(browser(), shop);
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await seeReason(page, shop, 'did not sign you in (login_required: ');
    expect(shop.provider.grants).toEqual([]);
  });

  it('says that the provider does not answer where it goes away meanwhile', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await page.route('**/token', async (route) => {
      await shop.provider.pause();
      await route.continue();
    });
    await goToProvider(page);
    await allow(page);
    await seeReason(page, shop, 'did not answer');
    await page.unroute('**/token');
    await shop.provider.resume();
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await seeRange(page, 'records 1–50 of 120');
    expect(shop.provider.grants).toEqual(['authorization_code']);
  });

  it('says that the service could not reach the provider yet, until it can', async () => {
    const shop = await ownShop({ isAway: true });
    const { page } = await openShop(browser(), shop);
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await seeReason(page, shop, 'could not reach 127.0.0.1');
    await shop.provider.resume();
    await expect.poll(async () => policyOf(shop.origin)).toContain('/token');
    await page.reload();
    await signInAtProvider(page);
  });
});
