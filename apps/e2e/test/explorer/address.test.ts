import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';

const search = (page: Page) => new URL(page.url()).search;

describeInBrowser('a filter in the address that cannot be read', (browser) => {
  const origin = inject('demo');
  const open = async (parts: string) =>
    openSignedIn(browser(), `${origin}/?model=continents&${parts}`);

  it('is named, and no other records are shown, counted or exported', async () => {
    const { page, pageQueries } = await open('where=code.eq.AS&where=name.equals.Asia&match=some');
    for (const part of ['where=name.equals.Asia', 'match=some'])
      await page
        .getByRole('alert')
        .filter({ hasText: `The filter in this address cannot be read: ${part}.` })
        .waitFor();
    for (const name of ['Export …', 'Copy as …', 'Facets', 'Next page'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.locator('tbody tr, .range').count()).toBe(0);
    expect(pageQueries()).toEqual([]);
  });

  it('is corrected where it is named', async () => {
    const { page } = await open('where=name.equals.Asia&attributes=name');
    const input = page.getByRole('textbox', { name: 'where' });
    expect(await input.inputValue()).toBe('name.equals.Asia');
    await page.getByText('Operators of code: eq, ne,').waitFor();
    expect(await findings(page, ['main'])).toEqual([]);
    await input.fill('name.eq.Asia');
    await input.press('Enter');
    await seeRange(page, 'record 1 of 1');
    expect(search(page)).toBe('?model=continents&where=name.eq.Asia&attributes=name');
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });

  it('stays when another part is removed that cannot be read', async () => {
    const { page } = await open('colums=name&where=garbage&size=abc');
    await page.getByRole('button', { name: 'Remove from the address' }).click();
    await page.getByText('colums=name').waitFor({ state: 'detached' });
    expect(search(page)).toBe('?model=continents&where=garbage');
    await page.getByText('The filter in this address cannot be read').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
  });

  it('is removed with a button, and comes back with the history', async () => {
    const { page } = await open('where=garbage&where=code.eq.AS');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await seeRange(page, 'record 1 of 1');
    expect(search(page)).toBe('?model=continents&where=code.eq.AS');
    await page.goBack();
    await page.getByText('The filter in this address cannot be read').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
  });
});

describeInBrowser('another part of the address that cannot be read', (browser) => {
  const origin = inject('demo');

  it('is named above the records, until it is removed', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=continents&page=1&size=abc&page=2`,
    );
    await seeRange(page, 'records 1–7 of 7');
    const banner = page.getByRole('alert').filter({ hasText: 'Not everything in this address' });
    const named = await banner.getByRole('listitem').allTextContents();
    expect(named).toEqual([
      'size=abc is not a whole number from 1. A page has 50 records.',
      'page=2 is left out: “page” is in the address before.',
    ]);
    await banner.getByRole('button', { name: 'Remove from the address' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(search(page)).toBe('?model=continents&page=1');
  });
});
