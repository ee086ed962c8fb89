import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange, seeTotals } from '../explorer/open-explorer.ts';
import {
  openShop,
  searchFor,
  shopOfWorker,
  signInAtProvider,
  turnPage,
} from './explorer-with-provider.ts';

/** Notes in the page that it was not loaded again. */
const mark = async (page: Page): Promise<void> =>
  page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));

const isMarked = async (page: Page): Promise<boolean> =>
  page.evaluate(() => Reflect.get(globalThis, 'isMarked') === true);

describeInBrowser('an access token under an open list', (browser) => {
  it('is renewed when it has run out, and the list goes on', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await page.clock.install();
    await signInAtProvider(page);
    await mark(page);
    await page.clock.fastForward('01:00:01');
    await turnPage(page);
    await seeRange(page, 'records 51–100 of 120');
    expect(await isMarked(page)).toBe(true);
    expect(shop.provider.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is renewed early by whoever uses it, without a wait for the provider', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await page.clock.install();
    await signInAtProvider(page);
    await page.clock.fastForward('59:40');
    const hold = Promise.withResolvers<void>();
    await page.route('**/token', async (route) => {
      await hold.promise;
      await route.continue();
    });
    await turnPage(page);
    await seeRange(page, 'records 51–100 of 120');
    expect(shop.provider.grants).toEqual(['authorization_code']);
    hold.resolve();
    await expect.poll(() => shop.provider.grants).toContain('refresh_token');
  });

  it('is renewed when the service refuses it', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    await seeTotals(page);
    await mark(page);
    shop.provider.state.audience = 'shop-api';
    await shop.expectAudience('shop-api');
    await searchFor(page, 'note 120');
    await seeRange(page, 'record 1 of 1');
    expect(shop.provider.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(await isMarked(page)).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
