import type { Page, Route } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { TOKEN } from '../support/service.ts';
import { findings } from './findings.ts';
import {
  chooseOfColumn,
  openAlone,
  openSignedIn,
  seeRange,
  seeTotals,
  signIn,
} from './open-explorer.ts';
import { refusalOfService, RETRY_AFTER_S } from './refusal.ts';

/** Not the one of the demo. */
const OTHER_TOKEN = 'dq_another-token-0123456789abcdefghijklmnopqr';

describeInBrowser('an error that the service reports', (browser) => {
  const origin = inject('demo');

  it.each([
    [
      'where=name.eq.a&where=population.gte.many&where=population.in.1,two&size=5000',
      ['Condition 2: value', 'Condition 3: value 2', 'Records per page'],
    ],
    ['where=name.eq.a&where=populaton.eq.1', ['Condition 2: attribute']],
  ])('is shown at its control: %s', async (search, labels) => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&${search}`);
    await page.getByText('The service answered 400').waitFor();
    for (const label of labels) {
      const control = page.getByLabel(label, { exact: true });
      expect(await control.getAttribute('aria-invalid')).toBe('true');
      const described = await control.getAttribute('aria-describedby');
      const text = await page.locator(`[id="${described}"]`).textContent();
      expect(text).toMatch(/^([A-Z"]|population [≥i])/);
      expect(text).not.toContain('/');
    }
  });

  it('in the order and in the columns is shown there too', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&sort=phone&attributes=code,nam`,
    );
    await page.getByText('The service answered 400').waitFor();
    await page.getByLabel('Order').getByRole('listitem').waitFor();
    await page.getByLabel('Columns').getByText('Did you mean “name”?').waitFor();
    expect(
      await page.getByRole('button', { name: /^phone, ascending/ }).getAttribute('aria-invalid'),
    ).toBe('true');
  });

  it('keeps the records on the page, and disappears once it is fixed', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&where=population.gte.10000000`,
    );
    await seeRange(page, 'of 15');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Condition 1: value').fill('many');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The error is marked at the control.').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(15);
    await seeRange(page, 'not loaded');
    expect(await page.getByText('loading …').count()).toBe(0);
    expect(await page.getByRole('grid').getAttribute('aria-busy')).toBe('false');
    await page.getByLabel('Condition 1: value').fill('20000000');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'record 1 of 1');
    expect(await page.getByText('The service answered').count()).toBe(0);
  });
});

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
    await page.route('**/api/**', async (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Next page' }).click();
    await page
      .getByText('The service did not answer. The records are those that were read last.')
      .waitFor();
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

describeInBrowser('a part of the page that could not be read', (browser) => {
  const FAILURE = {
    status: 500,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title: 'Failed', status: 500, detail: 'Failed.' }),
  };

  it.each<[string, string, (page: Page) => Promise<unknown>, string]>([
    [
      'the facets',
      '**/dynamic/facets',
      async (page) => page.getByRole('button', { name: 'Facets' }).click(),
      '.facet-row',
    ],
    [
      'a record',
      '**/dynamic/query',
      async (page) => page.getByRole('button', { name: '1', exact: true }).click(),
      'aside.record dl',
    ],
    [
      'a distribution',
      '**/dynamic/facets',
      async (page) => chooseOfColumn(page, 'continent_code', 'Distribution …'),
      'dialog .bars',
    ],
  ])('as %s says why, and is read when the reader retries', async (_, route, open, content) => {
    const { page } = await openSignedIn(browser(), `${inject('demo')}/?model=countries&size=10`);
    await seeRange(page, 'records 1–10');
    await seeTotals(page);
    await page.route(route, async (request) => request.fulfill(FAILURE));
    await open(page);
    const banner = page.getByRole('alert').filter({ hasText: 'The service answered 500' });
    await banner.waitFor();
    expect(await page.getByText(/^(Counting|Reading the record) …$/).count()).toBe(0);
    await page.unroute(route);
    await banner.getByRole('button', { name: 'Retry' }).click();
    await page.locator(content).first().waitFor();
    expect(await banner.count()).toBe(0);
  });
});

describeInBrowser('a part of the page whose code cannot be loaded', (browser) => {
  it.each<[string, string, (page: Page) => Promise<unknown>, string]>([
    [
      'a panel',
      'facets-panel',
      async (page) => page.getByRole('button', { name: 'Facets' }).click(),
      'aside.facets',
    ],
    [
      'a dialog',
      'export-dialog',
      async (page) => page.getByRole('button', { name: 'Export …' }).click(),
      'dialog',
    ],
  ])('as %s is named, and is loaded when the reader retries', async (_, file, open, part) => {
    const { page } = await openSignedIn(browser(), `${inject('demo')}/?model=countries&size=10`);
    await seeRange(page, 'records 1–10');
    const code = `**/assets/${file}-*.js`;
    await page.route(code, async (request) => request.abort());
    await open(page);
    const banner = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await banner.waitFor();
    await banner.getByRole('button', { name: 'Close' }).click();
    expect(await banner.count()).toBe(0);
    await open(page);
    await banner.waitFor();
    expect(await findings(page, ['.banner'])).toEqual([]);
    await page.unroute(code);
    await banner.getByRole('button', { name: 'Retry' }).click();
    await page.locator(part).waitFor();
    expect(await banner.count()).toBe(0);
  });
});
