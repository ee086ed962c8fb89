import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

describeInBrowser('the pages of a table', (browser) => {
  const origin = inject('demo');

  it('are turned with one request each, and nothing moves', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10 of 135,233');
    const boxes = async () =>
      page
        .locator('thead th, .pager, .cell-bar, tbody tr:first-child')
        .evaluateAll((all) =>
          all.map((element) => JSON.stringify(element.getBoundingClientRect())),
        );
    const before = await boxes();
    for (const [label, range] of [
      ['Next page', 'records 11–20 of 135,233'],
      ['Last page', 'records 135,231–135,233 of 135,233'],
      ['Previous page', 'records 135,221–135,230 of 135,233'],
      ['First page', 'records 1–10 of 135,233'],
    ] as const) {
      await page.getByRole('button', { name: label }).click();
      await seeRange(page, range);
      expect(await boxes()).toEqual(before);
    }
    expect(pageQueries().map(({ page: { page: number } }) => number)).toEqual([
      1, 2, 13_524, 13_523,
    ]);
  });

  it('are jumped to by number, past the end too, and the address follows', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&size=10`);
    await page.getByLabel('Page', { exact: true }).fill('5');
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(page, 'records 41–50 of 135,233');
    await page.locator('.jump input:focus').waitFor();
    expect(new URL(page.url()).search).toBe('?model=cities&page=5&size=10');
    await page.getByLabel('Page', { exact: true }).fill('99999');
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(page, 'past the end: 135,233 records in all');
    await page.goBack();
    await seeRange(page, 'records 41–50');
    await page.getByLabel('Page', { exact: true }).fill('0');
    await page.getByText('A page is a whole number from 1.').waitFor();
  });

  it.each([
    { place: '.jump input', part: 'page', shown: '2', range: 'records 11–20' },
    { place: '.search input', part: 'search', shown: 'york', range: 'records 1–10' },
  ])('leave alone what is typed at $place as soon as they are shown', async (field) => {
    const { place, part, shown, range } = field;
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&size=10`);
    await seeRange(page, 'records 1–10 of 135,233');
    await page.evaluate(
      async ([selector, address, old]) => {
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
        const input = () => document.querySelectorAll<HTMLInputElement>(selector).item(0);
        // In the same task: what the page does after the next frame has not been done.
        for (let turn = 0; turn < 100 && input().value !== old; turn++) await Promise.resolve();
        input().value = '7';
        input().dispatchEvent(new InputEvent('input', { bubbles: true }));
      },
      [place, `?model=cities&size=10&${part}=${shown}`, shown] as const,
    );
    await page.locator('table[aria-busy=false]').waitFor();
    await seeRange(page, range);
    expect(await page.locator(place).inputValue()).toBe('7');
  });

  it('keep their records on the page while the next one is loading', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&attributes=id&size=10`);
    await seeRange(page, 'records 1–10');
    const rows = await columnTexts(page, 'id');
    const { promise: mayGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/dynamic/query', async (route) => {
      await mayGo;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.locator('table[aria-busy=true]').waitFor();
    expect(await columnTexts(page, 'id')).toEqual(rows);
    letGo();
    await seeRange(page, 'records 11–20');
    expect(await columnTexts(page, 'id')).not.toEqual(rows);
  });
});

describeInBrowser('a view', (browser) => {
  const origin = inject('demo');

  it('is sorted by a click on a head, and by several with Shift', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&attributes=continent_code,name`,
    );
    await seeRange(page, 'of 252');
    const head = (name: string) => page.getByRole('columnheader', { name }).locator('button.sort');
    await head('continent_code').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await head('continent_code').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await head('name').click({ modifiers: ['Shift'] });
    await page.locator('th[aria-sort=ascending]').waitFor();
    const sort = [
      { attribute: 'continent_code', direction: 'desc' },
      { attribute: 'name', direction: 'asc' },
    ];
    await expect.poll(() => pageQueries().at(-1)?.query_sort).toEqual(sort);
    await expect.poll(async () => (await columnTexts(page, 'name'))[0]).toBe('Argentina');
    await page.getByRole('button', { name: /continent_code, descending. Remove it/ }).click();
    await page.waitForURL(/sort=name$/);
  });

  it('has NULL where the reader wants it', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&attributes=code,part_of_code`,
    );
    await seeRange(page, 'of 252');
    await chooseOfColumn(page, 'part_of_code', 'Sort descending');
    await expect.poll(async () => (await columnTexts(page, 'part_of_code'))[0]).toBe('NULL');
    await chooseOfColumn(page, 'part_of_code', 'NULL last');
    await expect.poll(async () => (await columnTexts(page, 'part_of_code'))[0]).not.toBe('NULL');
    expect(pageQueries().at(-1)?.query_sort).toEqual([
      { attribute: 'part_of_code', direction: 'desc', nulls: 'last' },
    ]);
    expect(new URL(page.url()).search).toContain('sort=-part_of_code:nulls-last');
    await page.getByRole('button', { name: 'part_of_code, descending, NULL last.' }).waitFor();
  });

  it('is moved through with the keyboard alone', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&attributes=id,name,population&size=10`,
    );
    await seeRange(page, 'records 1–10');
    const focus = async () =>
      page.evaluate(() => [
        document.activeElement?.getAttribute('data-row'),
        document.activeElement?.getAttribute('data-column'),
      ]);
    await page.locator('td').first().focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key);
    expect(await focus()).toEqual(['1', '2']);
    await page.keyboard.press('Control+Home');
    expect(await focus()).toEqual(['0', '0']);
    await page.keyboard.press('PageDown');
    await seeRange(page, 'records 11–20');
    expect(await focus()).toEqual(['0', '0']);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'id, record 11' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('PageUp');
    await seeRange(page, 'records 1–10');
  });
});
