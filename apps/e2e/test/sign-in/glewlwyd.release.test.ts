import { freePort } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openExplorer, seeRange } from '../explorer/open-explorer.ts';
import { policyOf, signInSettings, startShop } from './explorer-with-provider.ts';
import { hasGlewlwyd, LOGIN, RESOURCE, startGlewlwyd } from './glewlwyd.ts';

describeInBrowser('signing in at Glewlwyd', (browser) => {
  it('shows the view, renews the token under it, and ends with signing out', async ({ skip }) => {
    if (!process.env['CI'] && !hasGlewlwyd) skip('Glewlwyd is not installed.');
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const { issuer, jwksUrl, stop } = await startGlewlwyd(`${origin}/`);
    onTestFinished(stop);
    const settings = signInSettings({
      issuer,
      jwksUrl,
      audience: RESOURCE,
      roleClaim: 'role',
      parameters: { resource: RESOURCE },
    });
    const shop = await startShop(port, settings);
    onTestFinished(shop.stop);
    await expect.poll(async () => policyOf(origin)).toContain(issuer);
    const provider = new URL(issuer).origin;
    const { page } = await openExplorer(browser(), `${origin}/?model=orders`, {}, [provider]);
    await page.clock.install();
    const tokens: string[] = [];
    page.on('request', (request) => {
      if (request.url() === `${issuer}/token` && request.method() === 'POST')
        tokens.push(new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '');
    });
    await page.getByRole('button', { name: /^Sign in with localhost/ }).click();
    await page.locator('#username').fill(LOGIN.name);
    await page.locator('#password').fill(LOGIN.password);
    await page.locator('#password').press('Enter');
    await page.getByRole('button', { name: 'Continue' }).click();
    await seeRange(page, 'records 1–50 of 120');
    await page.clock.fastForward('01:00:01');
    await page.getByRole('button', { name: 'Next page' }).click();
    await seeRange(page, 'records 51–100 of 120');
    expect(tokens).toEqual(['authorization_code', 'refresh_token']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // It ends no session without an ID token, which the page puts into no address.
    await page.waitForURL(`${issuer}/end_session?*`);
    expect([...new URL(page.url()).searchParams.keys()]).toEqual([
      'client_id',
      'post_logout_redirect_uri',
    ]);
    await page.goto(origin);
    await page.getByRole('button', { name: /^Sign in with localhost/ }).waitFor();
  });
});
