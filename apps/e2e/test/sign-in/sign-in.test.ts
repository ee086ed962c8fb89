import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from '../explorer/findings.ts';
import { seeRange } from '../explorer/open-explorer.ts';
import { TOKEN } from '../support/service.ts';
import {
  goToProvider,
  openShop,
  shopOfWorker,
  signInAtProvider,
} from './explorer-with-provider.ts';

/** What pages that the browser goes back to are called, and where it is. */
async function historyOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  return entries.map(({ url }) => url);
}

const modelsOf = async (page: Page): Promise<string[]> =>
  page.locator('.models li a').evaluateAll((all) => all.map((link) => link.textContent ?? ''));

describeInBrowser('signing in at a provider', (browser) => {
  it('shows the view of the address, and leaves tokens in no storage, address or history', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    const urls: string[] = [];
    const replies: Response[] = [];
    page.on('request', (request) => urls.push(request.url()));
    page.on('response', (response) => {
      if (response.url().endsWith('/token') && response.request().method() === 'POST')
        replies.push(response);
    });
    await signInAtProvider(page);
    expect(page.url()).toBe(`${shop.origin}/?model=orders&size=50`);
    const [reply] = (await Promise.all(replies.map(async (one) => one.json()))) as Record<
      string,
      string
    >[];
    const secrets = ['access_token', 'refresh_token', 'id_token'].map((name) => reply?.[name]);
    expect(secrets.every((secret) => (secret?.length ?? 0) > 20)).toBe(true);
    const kept = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie]),
    );
    const entries = await historyOf(page);
    for (const secret of secrets)
      expect([kept, ...urls, ...entries].join(' ')).not.toContain(secret);
    expect(kept).not.toContain('dynamic-query-sign-in');
    expect(entries.join(' ')).not.toContain('code=');
    expect(replies).toHaveLength(1);
  });

  it('is asked for again by a page that is loaded again, without a password', async () => {
    const { page } = await openShop(browser(), await shopOfWorker());
    await signInAtProvider(page);
    await page.reload();
    await page.getByRole('button', { name: /^Sign in with 127/ }).click();
    await seeRange(page, 'records 1–50 of 120');
    expect(new URL(page.url()).search).toBe('?model=orders&size=50');
  });

  it('lets the page ask its service and where the provider issues tokens, and nobody else', async () => {
    const shop = await shopOfWorker();
    const { issuer } = shop.provider;
    const page = await browser().newPage();
    try {
      const response = await page.goto(shop.origin);
      const policy = response?.headers()['content-security-policy'];
      expect(policy).toContain(
        `connect-src 'self' ${issuer}/protocol/openid-connect/token; base-uri 'none'`,
      );
      const ask = async (url: string): Promise<string> =>
        page.evaluate(async (target) => {
          const violation = new Promise<string>((resolve) =>
            addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI)),
          );
          const answer = fetch(target, { mode: 'no-cors' }).then(
            () => 'asked',
            async () => violation,
          );
          return answer;
        }, url);
      const metadata = `${issuer}/.well-known/openid-configuration`;
      expect(await ask(metadata)).toBe(metadata);
      expect(await ask(`${issuer}/protocol/openid-connect/token`)).toBe('asked');
    } finally {
      await page.close();
    }
  });

  it.each([
    ['shop-clerk', ['orders']],
    ['shop-auditor', ['customers', 'orders']],
  ])('shows what the claim %s makes visible', async (role, visible) => {
    const shop = await shopOfWorker();
    shop.provider.state.roles = [role];
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    const names = (await modelsOf(page)).map((text) => /^[a-z]+/.exec(text)?.[0]);
    expect(names).toEqual(visible);
  });

  it('leaves tokens of the operator a way, and has no finding of axe', async () => {
    const { page } = await openShop(browser(), await shopOfWorker());
    await page.getByText('With an access token').click();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByLabel('Access token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await seeRange(page, 'records 1–50 of 120');
  });
});

describeInBrowser('signing out', (browser) => {
  it('ends the session at the provider, and that of other tabs', async () => {
    const shop = await shopOfWorker();
    const { page } = await openShop(browser(), shop);
    await signInAtProvider(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: /^Sign in with/ }).click();
    await seeRange(other, 'records 1–50 of 120');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: /^Sign in with/ }).waitFor();
    expect(await other.locator('.range').count()).toBe(0);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${shop.origin}/`);
    expect((await historyOf(page)).join(' ')).not.toContain('id_token');
    await goToProvider(page);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
  });
});
