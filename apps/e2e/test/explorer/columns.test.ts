import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

/** The head of a column. */
const headOf = (page: Page, name: string) =>
  page.locator('thead th').filter({ has: page.getByText(name, { exact: true }) });

const widthOf = async (page: Page, name: string): Promise<number> =>
  headOf(page, name).evaluate((head) => Math.round(head.getBoundingClientRect().width));

describeInBrowser('the columns of a table', (browser) => {
  const origin = inject('demo');
  it('are sized by their edge and by keyboard, fit their values, and stay so', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=time_zones`);
    await seeRange(page, 'records 1–50');
    const before = await widthOf(page, 'name');
    const edge = headOf(page, 'name').locator('.resize');
    const box = (await edge.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(box.x + 3, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 103, box.y + 5);
    await page.mouse.up();
    await expect.poll(async () => widthOf(page, 'name')).toBe(before + 100);
    await page.reload();
    await seeRange(page, 'records 1–50');
    expect(await widthOf(page, 'name')).toBe(before + 100);
    await chooseOfColumn(page, 'name', 'Less wide');
    await expect.poll(async () => widthOf(page, 'name')).toBe(before + 60);
    await chooseOfColumn(page, 'name', 'Fit the width');
    const column = (await page.locator('thead .name').allTextContents()).indexOf('name');
    const isCut = page
      .locator(`td[data-column="${column}"]`)
      .evaluateAll((cells) => cells.some((cell) => cell.scrollWidth > cell.clientWidth));
    expect(await isCut).toBe(false);
  });

  it('stay at the left when they are pinned, and are hidden from their menu', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10');
    await chooseOfColumn(page, 'name', 'Pin to the left');
    await expect.poll(() => page.locator('thead .name').allTextContents()).toContain('name');
    expect((await page.locator('thead .name').allTextContents())[0]).toBe('name');
    const left = async () => (await page.locator('td[data-column="0"]').first().boundingBox())?.x;
    const at = await left();
    await page.locator('.table-frame').evaluate((frame) => frame.scrollTo({ left: 400 }));
    expect(await left()).toBe(at);
    await chooseOfColumn(page, 'name', 'Hide the column');
    await expect.poll(() => page.locator('thead .name').allTextContents()).not.toContain('name');
  });

  it('count what refers to a record, in the address too', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=countries&attributes=name`);
    await seeRange(page, 'records 1–50');
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByText('← cities').click();
    await page.getByLabel('records', { exact: true }).check();
    const heads = () => page.locator('thead .name').allTextContents();
    await expect.poll(heads).toEqual(['name', 'cities_count']);
    expect(page.url()).toContain('related=cities_count:cities:count');
    await page.goto(`${page.url()}&sort=-cities_count&where=cities_count.lt.1000`);
    await seeRange(page, 'records 1–50');
    const counts = (await columnTexts(page, 'cities_count')).map((text) => Number(text));
    expect(counts[0]).toBeLessThan(1000);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByText('← cities').click();
    await page.getByLabel(/^records/).uncheck();
    await expect.poll(heads).toEqual(['name']);
    expect(page.url()).not.toContain('cities_count');
  });

  it('count the related records that meet a filter, beside all of them', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&attributes=name,cities_count&related=cities_count:cities:count&sort=-cities_count`,
    );
    await seeRange(page, 'records 1–50');
    const firstOf = async (name: string) => Number((await columnTexts(page, name))[0]);
    const all = await firstOf('cities_count');
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByText('← cities').click();
    const panel = page.getByRole('region', { name: 'Columns' });
    await panel.getByRole('button', { name: 'Filter of cities_count' }).click();
    const filter = panel.getByRole('form', { name: 'Filter of cities_count' });
    await filter.getByLabel('Condition 1: attribute').selectOption('population');
    await filter.getByLabel('Condition 1: operator').selectOption('gte');
    const value = filter.getByLabel('Condition 1: value');
    await value.fill('1000000');
    await value.press('Enter');
    await expect.poll(() => firstOf('cities_count')).toBeLessThan(all);
    const related = () => new URL(page.url()).searchParams.get('related');
    expect(related()).toBe('cities_count:cities:count::population.gte.1000000');
    await panel.getByLabel('records', { exact: true }).check();
    const large = await firstOf('cities_count');
    await expect.poll(() => firstOf('cities_count_2')).toBeGreaterThan(large);
    await value.fill('many');
    await value.press('Enter');
    await expect.poll(() => filter.locator('.errors').allTextContents()).toHaveLength(1);
    await value.press('Escape');
    await expect.poll(() => filter.count()).toBe(0);
    expect(await panel.count()).toBe(1);
  });

  it('show the names of the records that they refer to, and lead there', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&attributes=name,country_code&where=population.gte.10000000&sort=-population`,
    );
    await seeRange(page, 'of 15');
    expect((await columnTexts(page, 'country_code'))[0]).toBe('China');
    const shown = ['name', 'country_code', 'id', 'country.name'];
    expect(pageQueries().at(-1)?.query_attributes).toEqual(shown);
    const cell = page.locator('td.reference').first();
    await cell.dblclick();
    const opened = (name: string) => new URL(page.url()).searchParams.get(name);
    await expect.poll(() => [opened('model'), opened('record')]).toEqual(['countries', 'CN']);
    await page.goBack();
    await seeRange(page, 'of 15');
    await cell.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => [opened('model'), opened('record')]).toEqual(['countries', 'CN']);
  });

  it('are added along references, sorted and filtered by, and shared by the address', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&attributes=name&size=10`,
    );
    await seeRange(page, 'records 1–10');
    await page.getByRole('button', { name: 'Columns' }).click();
    const panel = page.getByRole('region', { name: 'Columns' });
    await panel.locator('summary', { hasText: '→ countries' }).click();
    await panel.locator('summary', { hasText: '→ continents' }).click();
    const related = panel.getByRole('group', { name: 'Attributes of country.continent' });
    await related.getByRole('checkbox', { name: 'name' }).check();
    const column = 'country.continent.name';
    await expect.poll(() => page.locator('thead .name').allTextContents()).toContain(column);
    await page.keyboard.press('Escape');
    await expect.poll(async () => columnTexts(page, column)).toContain('Europe');
    await chooseOfColumn(page, column, `Filter by ${column} …`);
    await page.getByLabel('Condition 1: value').fill('Oceania');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'of 4,324');
    expect(await columnTexts(page, column)).toEqual(Array(10).fill('Oceania'));
    expect(pageQueries().at(-1)).toMatchObject({
      query_attributes: ['name', column, 'id', 'country.continent.code'],
      query_filter: { attribute: column, op: 'icontains', value: 'Oceania' },
    });
    const shared = await openSignedIn(browser(), page.url());
    await seeRange(shared.page, 'of 4,324');
  });
});
