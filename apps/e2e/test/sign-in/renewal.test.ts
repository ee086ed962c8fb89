import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange, seeTotals } from '../explorer/open-explorer.ts';
import { allow, openShop, shopWithProvider, signInAtProvider } from './explorer-with-provider.ts';

/** Notes in the page that it was not loaded again. */
const mark = async (page: Page): Promise<void> =>
  page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));

const isMarked = async (page: Page): Promise<boolean> =>
  page.evaluate(() => Reflect.get(globalThis, 'isMarked') === true);

const turnPage = async (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Next page' }).click();

const BRIEFLY = { timeout: 5000 };

/** Searches until something is so, each time for something else, which no cache has. */
async function searchUntil(page: Page, isSo: () => Promise<boolean> | boolean): Promise<void> {
  let number = 0;
  await expect
    .poll(
      async () => {
        if (await isSo()) return true;
        // A dialog that opens meanwhile is over the field.
        const search = page.getByLabel('Search records');
        const isFilled = await search.fill(`note ${++number}`, BRIEFLY).then(
          () => true,
          () => false,
        );
        if (isFilled) await search.press('Enter', BRIEFLY).catch(() => undefined);
        return false;
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(true);
}

describeInBrowser('an access token under an open list', (browser) => {
  it('is renewed when it has run out, and the list goes on', async () => {
    const shop = await shopWithProvider();
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
    const shop = await shopWithProvider();
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
    const shop = await shopWithProvider();
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    await seeTotals(page);
    await mark(page);
    shop.provider.state.audience = 'shop-api';
    await shop.expectAudience('shop-api');
    await searchUntil(page, () => shop.provider.grants.at(-1) === 'refresh_token');
    await page.locator('tbody tr').first().waitFor();
    expect(await isMarked(page)).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('has its list wait where the provider is away, until it is back', async () => {
    const shop = await shopWithProvider();
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
    const shop = await shopWithProvider();
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    await seeTotals(page);
    await shop.provider.revoke();
    shop.provider.state.audience = 'shop-api';
    await shop.expectAudience('shop-api');
    const dialog = page.getByRole('dialog', { name: 'The token is no longer accepted' });
    await searchUntil(page, async () => (await dialog.count()) === 1);
    const view = page.url();
    await dialog.getByRole('button', { name: /^Sign in with/ }).click();
    await allow(page);
    await page.locator('tbody tr').first().waitFor();
    expect(page.url()).toBe(view);
  });
});
