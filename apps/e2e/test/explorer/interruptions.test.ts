import type { Route } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { TOKEN } from '../support/service.ts';
import { openAlone, openSignedIn, seeRange, seeTotals, signIn } from './open-explorer.ts';
import { refusalOfService, RETRY_AFTER_S } from './refusal.ts';

/** Not the one of the demo. */
const OTHER_TOKEN = 'dq_another-token-0123456789abcdefghijklmnopqr';

/** Sends a request with the token that the service takes. */
async function accept(route: Route): Promise<void> {
  const headers = { ...route.request().headers(), authorization: `Bearer ${TOKEN}` };
  await route.continue({ headers });
}

describeInBrowser('the view stays', (browser) => {
  const origin = inject('demo');

  it('when the token is refused: the page asks for another one, and the view goes on', async () => {
    const { page } = await openSignedIn(browser(), origin, {}, OTHER_TOKEN);
    await page.route('**/api/**', accept);
    await page.goto(`${origin}/?model=cities&sort=-population&size=10`);
    await seeRange(page, 'records 1–10');
    // A total that is still to be read would meet the refusal before the page does.
    await seeTotals(page);
    await page.unroute('**/api/**', accept);
    await page.getByRole('button', { name: 'Next page' }).click();
    const dialog = page.getByRole('dialog', { name: 'The token is no longer accepted' });
    await dialog.waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    await signIn(page);
    await seeRange(page, 'records 11–20');
    expect(new URL(page.url()).search).toBe('?model=cities&sort=-population&page=2&size=10');
    expect(await dialog.count()).toBe(0);
  });

  it('when the browser is offline, and goes on once it is not', async () => {
    const { page } = await openAlone(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('You are offline.').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    await page.context().setOffline(false);
    await seeRange(page, 'records 11–20');
  });

  it('when the service is down, and goes on when the user retries', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10');
    await page.clock.install();
    await page.route('**/api/**', async (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Next page' }).click();
    const banner = page.getByText(
      'The service did not answer. The records are those that were read last.',
    );
    // It is asked again by itself, after pauses.
    await expect
      .poll(async () => {
        await page.clock.runFor(1000);
        return banner.count();
      })
      .toBe(1);
    expect(await page.locator('tbody tr').count()).toBe(10);
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Retry' }).click();
    await seeRange(page, 'records 11–20');
  });

  it('when a rate limit is reached: it waits as long as the service says, and goes on', async () => {
    const refusal = await refusalOfService();
    const { page } = await openAlone(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10');
    await seeTotals(page);
    await page.clock.install();
    await page.route('**/dynamic/query', async (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('The rate limit is reached. The view stays as it is.').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    await page.unroute('**/dynamic/query');
    await page.clock.fastForward(RETRY_AFTER_S * 1000);
    await seeRange(page, 'records 11–20');
  });
});

describeInBrowser('a page that meets a rate limit before it has anything', (browser) => {
  it.each([
    ['the models', '**/dynamic/models'],
    ['the records', '**/dynamic/query'],
  ])(
    'when it reads %s says that nothing was read yet, and reads them after the wait',
    async (_, route) => {
      const refusal = await refusalOfService();
      const { page } = await openAlone(browser(), inject('demo'));
      await page.clock.install();
      await page.route(route, async (request) => request.fulfill(refusal));
      await page.goto(`${inject('demo')}/?model=cities&size=10`);
      await page.getByText('The rate limit is reached. Nothing was read yet.').waitFor();
      expect(await page.getByText('The view stays as it is.').count()).toBe(0);
      await page.unroute(route);
      await page.clock.fastForward(RETRY_AFTER_S * 1000);
      await seeRange(page, 'records 1–10');
    },
  );
});
