import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { shopOfTests } from './shop.ts';

/** The rows of an open facet, as texts. */
async function rowsOf(page: Page, name: string): Promise<string[]> {
  return facet(page, name).locator('.facet-row').allTextContents();
}

const facet = (page: Page, name: string) =>
  page.locator('.facets section').filter({ has: page.getByRole('button', { name, exact: true }) });

describeInBrowser('the facets of a list', (browser) => {
  const origin = inject('demo');

  it('count every value of the list, and one that is chosen leaves the others to be chosen', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=countries&attributes=name`);
    await page.getByRole('button', { name: 'Facets' }).click();
    await expect.poll(async () => rowsOf(page, 'continent_code')).toHaveLength(7);
    const before = await rowsOf(page, 'continent_code');
    await facet(page, 'continent_code').getByRole('button', { name: /^EU/ }).click();
    const europe = before.find((row) => row.startsWith('EU'))?.slice(2);
    await seeRange(page, `of ${europe}`);
    expect(new URL(page.url()).searchParams.get('where')).toBe('continent_code.eq.EU');
    expect(await rowsOf(page, 'continent_code')).toEqual(before);
    await facet(page, 'continent_code').getByRole('button', { name: /^AS/ }).click();
    await page.waitForURL(/continent_code\.in\.EU,AS/);
    await facet(page, 'continent_code').getByRole('button', { name: /^EU/ }).click();
    await facet(page, 'continent_code').getByRole('button', { name: /^AS/ }).click();
    await seeRange(page, 'of 252');
  });

  it('are one request, of what is open only, and follow the filter', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities`);
    const asked: object[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/dynamic/facets')) asked.push(request.postDataJSON() as object);
    });
    await page.getByRole('button', { name: 'Facets' }).click();
    await expect.poll(async () => (await rowsOf(page, 'country_code')).length).toBe(10);
    expect(asked).toMatchObject([{ query_facets: [{ attribute: 'country_code', values: 10 }] }]);
    await page.getByRole('button', { name: 'population', exact: true }).click();
    await facet(page, 'population').getByText('average').waitFor();
    expect(asked).toHaveLength(2);
    const [first = ''] = await facet(page, 'population').locator('.label').allTextContents();
    const count = await facet(page, 'population').locator('.total').first().textContent();
    await facet(page, 'population').getByRole('button', { name: first }).click();
    await seeRange(page, `of ${count}`);
  });

  it('suggest values while a filter is typed', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities`);
    await seeRange(page, 'of 135,233');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Condition 1: attribute').selectOption('feature_code');
    await page.getByLabel('Condition 1: value').fill('PPLA');
    const values = page.locator('datalist option');
    const read = async () =>
      values.evaluateAll((all) => all.map((option) => option.getAttribute('value')));
    await expect.poll(read).toContain('PPLA3');
    await expect
      .poll(async () => (await read()).every((value) => value?.includes('PPLA')))
      .toBe(true);
  });

  it('suggest the numbers that an attribute has, where they are few', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=country_languages`);
    await seeRange(page, 'of 371');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Condition 1: attribute').selectOption('position');
    await page.getByLabel('Condition 1: value').focus();
    const values = page.locator('datalist option');
    const read = async () =>
      values.evaluateAll((all) => all.map((option) => option.getAttribute('value')));
    await expect.poll(read).toContain('1');
    expect((await read()).every((value) => /^\d+$/.test(value ?? ''))).toBe(true);
  });
});

describeInBrowser('the facets of a list of references', (browser) => {
  const origin = shopOfTests();

  it('have few values first, and the most frequent ones of a reference, without a sum', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=books`);
    await page.getByRole('button', { name: 'Facets' }).click();
    await expect
      .poll(async () => page.locator('.fold-facet').allTextContents())
      .toEqual(['is_lent', 'author_id', 'title', 'pages', 'id']);
    await expect
      .poll(async () => rowsOf(page, 'author_id'))
      .toEqual(['7000001100', '7000002100', '7000003100']);
    const authors = facet(page, 'author_id');
    expect(await authors.locator('.facet-note').count()).toBe(0);
    await authors.getByRole('button', { name: /^7000002/ }).click();
    await seeRange(page, 'of 100');
  });
});
