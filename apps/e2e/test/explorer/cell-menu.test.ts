import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { seeFocus } from './keyboard.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { shopOfTests } from './shop.ts';

const COLUMNS = 'note,customer_id,customer.country.name,extra,id';

const cellOf = (page: Page, row: number, column: number): Locator =>
  page.locator(`td[data-row="${row}"][data-column="${column}"]`);

const itemsOf = async (page: Page): Promise<string[]> =>
  page.getByRole('menuitem').allTextContents();

async function choose(page: Page, cell: Locator, item: string): Promise<void> {
  await cell.click({ button: 'right' });
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

const addressed = (page: Page, part: string): string[] =>
  new URL(page.url()).searchParams.getAll(part);

describeInBrowser('the menu of a cell', (browser) => {
  const origin = shopOfTests();
  const open = async (search = ''): Promise<Page> => {
    const url = `${origin()}/?model=orders&attributes=${COLUMNS}${search}`;
    const { page } = await openSignedIn(browser(), url);
    await seeRange(page, 'record');
    return page;
  };

  it('narrows the list to its value, and to all others, of which NULL is one', async () => {
    const page = await open();
    await choose(page, cellOf(page, 0, 0), 'Only this value');
    await seeRange(page, 'of 2');
    expect(await columnTexts(page, 'note')).toEqual(['gift', 'gift']);
    await page.goBack();
    await seeRange(page, 'of 6');
    await choose(page, cellOf(page, 0, 0), 'Not this value');
    await seeRange(page, 'of 4');
    expect(await columnTexts(page, 'note')).toEqual(['NULL', 'empty text', 'NULL', 'late']);
    await choose(page, cellOf(page, 1, 0), 'Not this value');
    await seeRange(page, 'of 3');
  });

  it('narrows the list to NULL, and to what is not NULL', async () => {
    const page = await open();
    await choose(page, cellOf(page, 1, 0), 'Only NULL');
    await seeRange(page, 'of 2');
    expect(addressed(page, 'where')).toEqual(['note.is_null']);
    await page.goBack();
    await seeRange(page, 'of 6');
    await choose(page, cellOf(page, 1, 0), 'Not NULL');
    await seeRange(page, 'of 4');
  });

  it('filters by the path of a column along references, and follows it', async () => {
    const page = await open();
    await choose(page, cellOf(page, 0, 2), 'Only this value');
    await seeRange(page, 'of 2');
    expect(addressed(page, 'where')).toEqual([String.raw`customer\.country\.name.eq.Switzerland`]);
    await choose(page, cellOf(page, 0, 2), 'Follow to countries');
    await expect.poll(() => addressed(page, 'record')).toEqual(['CH']);
    await page.goBack();
    await seeRange(page, 'of 2');
    await choose(page, cellOf(page, 0, 1), 'Follow to customers');
    await expect.poll(() => addressed(page, 'record')).toEqual(['1']);
  });

  it('opens by two keys, is gone through, closes to its cell, and copies', async () => {
    const page = await open();
    const cell = cellOf(page, 0, 1);
    await cell.focus();
    await page.keyboard.press('ContextMenu');
    await seeFocus(page, page.getByRole('menuitem', { name: 'Only this value' }));
    expect(await findings(page, ['[role=menu]'])).toEqual([]);
    expect(await itemsOf(page)).toEqual([
      'Only this value',
      'Not this value',
      'Copy',
      'Follow to customers',
    ]);
    await page.keyboard.press('Escape');
    await seeFocus(page, cell);
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Shift+F10');
    await seeFocus(page, page.getByRole('menuitem', { name: 'Only this value' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await seeFocus(page, cell);
    const copied = async () => page.evaluate(async () => navigator.clipboard.readText());
    await expect.poll(copied).toBe('1');
  });

  it('closes by a click beside it, and stays within the window', async () => {
    const page = await open();
    await page.setViewportSize({ width: 1280, height: 420 });
    await cellOf(page, 3, 0).click({ button: 'right' });
    const { y = 0, height = 0 } = (await page.getByRole('menu').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(420);
    await page.getByRole('heading', { name: 'orders' }).click();
    await expect.poll(async () => page.getByRole('menu').count()).toBe(0);
  });
});
