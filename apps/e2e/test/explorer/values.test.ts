import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { columnTexts, openSignedIn, seeRange } from './open-explorer.ts';
import { LONG, shopOfTests } from './shop.ts';

describeInBrowser('the values of a table', (browser) => {
  const origin = shopOfTests();
  const open = async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin()}/?model=things&attributes=id,note,doc,day,open&sort=id`,
    );
    await seeRange(page, 'records 1–4 of 4');
    return page;
  };

  it('are shown truly: NULL, the empty text and the text NULL differ, and no digit is lost', async () => {
    const page = await open();
    expect(await columnTexts(page, 'id')).toEqual(['1', '2', '3', '9223372036854775807']);
    expect((await columnTexts(page, 'note')).slice(0, 3)).toEqual(['empty text', 'NULL', 'NULL']);
    const kinds = await page
      .locator('td[data-column="1"]')
      .evaluateAll((cells) => cells.map((cell) => cell.className));
    expect(kinds).toEqual(['empty', 'text', 'null', 'text']);
    expect(await columnTexts(page, 'doc')).toEqual([
      'NULL',
      '[2] [1.0,"<b>"]',
      '"text"',
      '{3} {"price":2.50,"big":9007199254740993,"list":[]}',
    ]);
    expect(await columnTexts(page, 'open')).toEqual(['NULL', 'false', 'false', 'true']);
  });

  it('are cut in the cell and whole in the full view', async () => {
    const page = await open();
    expect((await columnTexts(page, 'note'))[3]).toHaveLength(161);
    await page.locator('td[data-row="3"][data-column="1"]').dblclick();
    const dialog = page.getByRole('dialog', { name: 'note, record 4' });
    expect(await dialog.getByLabel('Value').textContent()).toBe(LONG);
    await page.keyboard.press('Escape');
    await page.locator('td[data-row="3"][data-column="2"]').dblclick();
    const doc = await page.getByRole('dialog').getByLabel('Value').textContent();
    expect(doc).toBe('{\n  "price": 2.50,\n  "big": 9007199254740993,\n  "list": []\n}');
  });

  it('are copied unchanged, as a cell and as a record', async () => {
    const page = await open();
    const clipboard = async () => page.evaluate(async () => navigator.clipboard.readText());
    await page.locator('td[data-row="3"][data-column="0"]').click();
    await page.keyboard.press('Control+c');
    await expect.poll(clipboard).toBe('9223372036854775807');
    await page.locator('td[data-row="1"][data-column="2"]').click();
    await page.getByRole('button', { name: 'Copy cell' }).click();
    await expect.poll(clipboard).toBe('[1.0,"<b>"]');
    await page.getByRole('button', { name: 'Copy record' }).click();
    await expect
      .poll(clipboard)
      .toBe('{"id":"2","note":"NULL","doc":[1.0,"<b>"],"day":"2025-12-31","open":false}');
  });

  it('are typed into the input that fits them', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Filter' }).click();
    const value = page.getByLabel('Condition 1: value');
    await page.getByLabel('Condition 1: attribute').selectOption('day');
    expect(await value.getAttribute('type')).toBe('date');
    await page.getByLabel('Condition 1: operator').selectOption('>');
    await value.fill('2026-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'record 1 of 1');
    await page.getByLabel('Condition 1: attribute').selectOption('open');
    await page.getByLabel('Condition 1: operator').selectOption('=');
    await value.selectOption('false');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'of 2');
    await page.getByLabel('Condition 1: attribute').selectOption('note');
    await page.getByLabel('Condition 1: operator').selectOption('=');
    await value.fill('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'record 1 of 1');
  });
});
