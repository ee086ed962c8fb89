import { expect, it } from 'vitest';

import { describeInFirefox } from '../firefox.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import {
  goToProvider,
  openShop,
  shopOfWorker,
  signInAtProvider,
} from './explorer-with-provider.ts';

describeInFirefox('signing in at a provider in Firefox ESR', 'light', (opened) => {
  it('shows the view, renews the token under it, and signs out in every tab', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(opened().browser, shop);
    await page.clock.install();
    await signInAtProvider(page);
    expect(page.url()).toBe(`${shop.origin}/?model=orders&size=50`);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toMatch(/eyJ|dynamic-query-sign-in/);
    await page.clock.fastForward('01:00:01');
    await page.getByRole('button', { name: 'Next page' }).click();
    await seeRange(page, 'records 51–100 of 120');
    expect(shop.provider.grants).toEqual(['authorization_code', 'refresh_token']);
    const other = await page.context().newPage();
    await other.goto(`${shop.origin}/?model=orders&size=50`);
    await other.getByRole('button', { name: /^Sign in with/ }).click();
    await seeRange(other, 'records 1–50 of 120');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: /^Sign in with/ }).waitFor();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${shop.origin}/`);
    await goToProvider(page);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
  });
});
