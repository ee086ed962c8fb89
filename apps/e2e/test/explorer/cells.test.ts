import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings } from './findings.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { shopOfTests } from './shop.ts';

/** How a cell is aligned, by row and by the name of its column. */
async function alignment(page: Page, row: number, name: string): Promise<string> {
  const names = await page.locator('thead .name').allTextContents();
  const cell = page.locator(`td[data-row="${row}"][data-column="${names.indexOf(name)}"]`);
  return cell.evaluate((td) => getComputedStyle(td).textAlign);
}

describeInBrowser('the cells of a table', (browser) => {
  const origin = shopOfTests();

  it('are chips where values are few, each value in one colour that can be read', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, 'of 6');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const chips = await page
        .locator('.value-chip')
        .evaluateAll((all) =>
          all.map((chip) => [chip.textContent, getComputedStyle(chip).backgroundColor] as const),
        );
      expect(chips).toHaveLength(11);
      const colours = new Map(chips);
      expect(chips.every(([text, colour]) => colours.get(text) === colour)).toBe(true);
      expect(new Set(colours.values()).size).toBe(5);
      expect(await findings(page, ['tbody'])).toEqual([]);
    }
  });

  it('have numbers and their NULLs at the end, and keys of other records where names begin', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders`);
    await seeRange(page, 'of 6');
    for (const [name, aligned] of [
      ['id', 'right'],
      ['amount', 'right'],
      ['customer_id', 'left'],
      ['note', 'left'],
    ] as const)
      for (const row of [0, 4, 5]) expect(await alignment(page, row, name)).toBe(aligned);
    // The heads have the type, and the model that a key leads to.
    for (const name of ['customer_id int64 → customers', 'status enum'])
      expect(await page.getByRole('columnheader', { name }).count()).toBe(1);
  });

  it.each([
    ['where=note.eq.nothing', 'No record meets the conditions.'],
    ['search=nothing', 'No record is found.'],
  ])('lead back to all records where none is left by %s', async (search, why) => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=orders&${search}`);
    await page.getByText(why).waitFor();
    await page.getByRole('button', { name: 'Show all records' }).click();
    await seeRange(page, 'of 6');
    expect(new URL(page.url()).search).toBe('?model=orders');
  });
});
