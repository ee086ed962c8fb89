import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import {
  allow,
  goToProvider,
  openShop,
  ownShop,
  policyOf,
  seeReason,
  shopOfWorker,
  signInAtProvider,
} from './explorer-with-provider.ts';
import { GOOGLE, KEYCLOAK } from './provider-shapes.ts';

describeInBrowser('a sign-in at a provider that does not do its part', (browser) => {
  it('says that the service cannot verify access tokens of the shape of Google', async () => {
    const shop = await ownShop({ shape: GOOGLE });
    const { page } = await openShop(browser(), shop);
    await goToProvider(page);
    await allow(page);
    await seeReason(page, shop, 'an access token that is not a JWT');
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
    // By itself the service tries again only seconds after it has failed.
    const jwksUrl = `${shop.provider.issuer}${KEYCLOAK.routes.jwks}?again`;
    await shop.reload({ jwksUrl, parameters: { ui_locales: 'en' } });
    await expect.poll(async () => policyOf(shop.origin)).toContain('/token');
    await page.reload();
    await signInAtProvider(page);
  });
});
