import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { chooseOfColumn, openSignedIn, seeRange, seeTotals } from './open-explorer.ts';

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
