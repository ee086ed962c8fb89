import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import { openShop, ownShop, signInAtProvider, turnPage } from './explorer-with-provider.ts';
import { ENTRA } from './provider-shapes.ts';

describeInBrowser('signing in at Entra ID', (browser) => {
  it('takes tokens of the shape of Entra ID, and renews them', async () => {
    const shop = await ownShop({
      shape: ENTRA,
      audience: String(ENTRA.audience),
      roleClaim: 'roles',
      scopes: ['openid', 'offline_access', 'Data.Read'],
      parameters: { prompt: 'consent' },
    });
    const { page } = await openShop(browser(), shop);
    await page.clock.install();
    await signInAtProvider(page);
    await page.clock.fastForward('01:00:00');
    await turnPage(page);
    await seeRange(page, 'records 51–100');
    expect(shop.provider.grants).toEqual(['authorization_code', 'refresh_token']);
  });
});
