import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { button, seeFocus, tabTo } from './keyboard.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

describeInBrowser('by keyboard alone', (browser) => {
  const origin = inject('demo');
  const open = async (search: string): Promise<Page> => {
    const { page } = await openSignedIn(browser(), `${origin}/?${search}`);
    await seeRange(page, 'of');
    return page;
  };

  it('the menu of a column opens, is gone through, and closes to its head', async () => {
    const page = await open('model=countries&size=10&attributes=code,name,continent_code');
    const column = button(page, 'Column name');
    await tabTo(page, column);
    await page.keyboard.press('Enter');
    const item = (name: string) => page.getByRole('menu').getByText(name, { exact: true });
    await seeFocus(page, item('Sort ascending'));
    await page.keyboard.press('ArrowUp');
    await seeFocus(page, item('Hide the column'));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await seeFocus(page, item('Sort descending'));
    await page.keyboard.press('Escape');
    await seeFocus(page, column);
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Enter');
    await seeFocus(page, item('Sort ascending'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await columnTexts(page, 'name'))[0]).toBe('Zimbabwe');
    await seeFocus(page, column);
  });

  it('the list of models is skipped', async () => {
    const page = await open('model=countries&size=10');
    const address = page.url();
    await tabTo(page, page.getByRole('link', { name: 'Skip to the records' }));
    await page.keyboard.press('Enter');
    await seeFocus(page, page.locator('td').first());
    expect(page.url()).toBe(address);
    await page.goto(`${origin}/`);
    expect(await page.getByRole('link', { name: 'Skip to the records' }).count()).toBe(0);
  });

  it('groups are computed and sorted, and the focus stays where it was', async () => {
    const url = `${origin}/?model=countries&group=continent_code`;
    const { page } = await openSignedIn(browser(), url);
    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByRole('status').waitFor();
    const addressed = (part: string) => new URL(page.url()).searchParams.get(part);
    const add = groups.getByRole('button', { name: 'Add a number' });
    await tabTo(page, add);
    await page.keyboard.press('Enter');
    await expect.poll(() => addressed('compute')).toMatch(/^count,count_distinct:/);
    await seeFocus(page, add);
    const column = groups.getByRole('columnheader', { name: 'continent_code' });
    const head = column.getByRole('button');
    await tabTo(page, head);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => column.getAttribute('aria-sort')).toBe('descending');
    await seeFocus(page, head);
  });

  it('a column is sized, pinned and hidden, and the focus stays at its head', async () => {
    const page = await open('model=countries&size=10&attributes=code,name,continent_code');
    const column = button(page, 'Column name');
    const choose = async (name: string): Promise<void> => {
      await page.keyboard.press('Enter');
      const item = page.getByRole('menu').getByText(name, { exact: true });
      while (!(await item.evaluate((node) => node === document.activeElement)))
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await tabTo(page, column);
    const head = page.locator('thead th').filter({ has: column });
    const width = async () => head.evaluate(({ offsetWidth }: HTMLElement) => offsetWidth);
    const before = await width();
    await choose('Wider');
    await expect.poll(width).toBe(before + 40);
    await seeFocus(page, column);
    await choose('Pin to the left');
    await page.locator('thead th.pinned').waitFor();
    await seeFocus(page, column);
    await choose('Unpin');
    await expect.poll(() => page.locator('thead th.pinned').count()).toBe(0);
    await seeFocus(page, column);
    await choose('Hide the column');
    await expect.poll(() => column.count()).toBe(0);
    await tabTo(page, button(page, 'Column continent_code'));
  });

  it('a filter is written and applied, and closes to what opened it', async () => {
    const page = await open('model=countries&size=10');
    const filter = button(page, /^Filter/);
    await tabTo(page, filter);
    await page.keyboard.press('Enter');
    await seeFocus(page, page.getByLabel('Condition 1: value'));
    await page.keyboard.type('CH');
    await tabTo(page, button(page, 'Add a condition'));
    await page.keyboard.press('Enter');
    await seeFocus(page, page.getByLabel('Condition 2: attribute'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('CHF');
    await page.keyboard.press('Enter');
    await page.waitForURL(/code\.icontains\.CHF/);
    await tabTo(page, button(page, 'Remove condition 2'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/where=code\.icontains\.CH&size/);
    await seeFocus(page, button(page, 'Add a condition'));
    await page.keyboard.press('Escape');
    await seeFocus(page, filter);
    expect(await page.getByLabel('Condition 1: value').count()).toBe(0);
  });

  it('columns are moved, and the focus goes with the one that moves', async () => {
    const page = await open('model=continents');
    const columns = button(page, /^Columns/);
    await tabTo(page, columns);
    await page.keyboard.press('Enter');
    const move = button(page, 'Move name to the left');
    await move.waitFor();
    await tabTo(page, move);
    await page.keyboard.press('Enter');
    await page.waitForURL(/attributes=name,code/);
    await seeFocus(page, button(page, 'Move name to the left'));
    await page.keyboard.press('Escape');
    await seeFocus(page, columns);
    expect(await page.locator('thead .name').allTextContents()).toEqual(['name', 'code']);
  });

  it('a value of the facets is chosen, and they close to what opened them', async () => {
    const page = await open('model=countries&size=10');
    const facets = button(page, 'Facets');
    await tabTo(page, facets);
    await page.keyboard.press('Enter');
    const europe = page.locator('.facets').getByRole('button', { name: /^EU/ });
    await europe.waitFor();
    await tabTo(page, europe);
    await page.keyboard.press('Enter');
    await page.waitForURL(/continent_code\.eq\.EU/);
    await seeFocus(page, europe);
    await page.keyboard.press('Escape');
    await seeFocus(page, facets);
    expect(await page.locator('.facets').count()).toBe(0);
  });
});
