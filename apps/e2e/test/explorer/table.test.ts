import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, columnTexts, openSignedIn, seeRange } from './open-explorer.ts';

const leaf = (attribute: string, value: string) => ({ attribute, op: 'eq', value });

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
    expect(new URL(page.url()).search).toBe('?model=cities&page=5&size=10');
    await page.getByLabel('Page', { exact: true }).fill('99999');
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(page, 'past the end: 135,233 records in all');
    await page.goBack();
    await seeRange(page, 'records 41–50');
    await page.getByLabel('Page', { exact: true }).fill('0');
    await page.getByText('A page is a whole number from 1.').waitFor();
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

  it('is filtered by type, from the operators of the attribute', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${origin}/?model=cities`);
    await seeRange(page, 'of 135,233');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Condition 1: attribute').selectOption('population');
    await page.getByLabel('Condition 1: operator').selectOption('≥');
    await page.getByLabel('Condition 1: value').fill('10000000');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Condition 2: attribute').selectOption('country_code');
    await page.getByLabel('Condition 2: operator').selectOption('is one of');
    await page.getByLabel('Condition 2: value').fill('CN');
    await page.getByRole('button', { name: 'one value more' }).click();
    await page.getByLabel('Condition 2: value 2').fill('TR');
    await page.getByLabel('Condition 2: value 2').press('Enter');
    await seeRange(page, 'records 1–6 of 6');
    expect(pageQueries().at(-1)?.query_filter).toEqual({
      and: [
        { attribute: 'population', op: 'gte', value: '10000000' },
        { attribute: 'country_code', op: 'in', value: ['CN', 'TR'] },
      ],
    });
    expect(new URL(page.url()).search).toBe(
      '?model=cities&where=population.gte.10000000&where=country_code.in.CN,TR',
    );
    await page.getByRole('button', { name: 'Remove condition 2' }).click();
    await seeRange(page, 'of 15');
  });

  it('is filtered after one click: what is typed then is the value of a condition', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${origin}/?model=countries`);
    await seeRange(page, 'of 252');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.keyboard.type('CH');
    await page.keyboard.press('Enter');
    await page.waitForURL(/where=/);
    const filter = { attribute: 'code', op: 'icontains', value: 'CH' };
    await expect.poll(() => pageQueries().at(-1)?.query_filter).toEqual(filter);
  });

  it('is filtered by a column from its head', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities`);
    await seeRange(page, 'of 135,233');
    await chooseOfColumn(page, 'population', 'Filter by population …');
    await page.getByLabel('Condition 1: operator').selectOption('≥');
    await page.getByLabel('Condition 1: value').fill('20000000');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seeRange(page, 'record 1 of 1');
    expect(await columnTexts(page, 'name')).toEqual(['Shanghai']);
  });

  it('has groups of conditions within groups, which its address has too', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&where=continent_code.eq.EU`,
    );
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Add a group', exact: true }).click();
    const set = async (number: string, name: string) => {
      await page.getByLabel(`Condition ${number}: attribute`).selectOption('name');
      await page.getByLabel(`Condition ${number}: operator`).selectOption('=');
      await page.getByLabel(`Condition ${number}: value`).fill(name);
    };
    await set('2.1', 'France');
    await page.getByRole('button', { name: 'Add a condition to group 2' }).click();
    await set('2.2', 'Italy');
    await page.getByLabel('Group 2: records meet').selectOption('none of these');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/where=none\(/);
    const filter = {
      and: [
        leaf('continent_code', 'EU'),
        { not: { or: [leaf('name', 'France'), leaf('name', 'Italy')] } },
      ],
    };
    await expect.poll(() => pageQueries().at(-1)?.query_filter).toEqual(filter);
    const again = await openSignedIn(browser(), page.url());
    await expect.poll(() => again.pageQueries().at(-1)?.query_filter).toEqual(filter);
  });

  it('distinguishes NULL from values', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&where=part_of_code.not_null&attributes=part_of_code`,
    );
    await seeRange(page, 'of');
    expect(await columnTexts(page, 'part_of_code')).not.toContain('NULL');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Condition 1: operator').selectOption('is NULL');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('td i', { hasText: 'NULL' }).first().waitFor();
    expect(new Set(await columnTexts(page, 'part_of_code'))).toEqual(new Set(['NULL']));
  });

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

  it('has the attributes that were chosen, in their order', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=continents&page=1`,
    );
    await seeRange(page, 'of 7');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Move code to the right' }).click();
    await page.waitForURL(/attributes=name,code/);
    await expect.poll(() => pageQueries().at(-1)?.query_attributes).toEqual(['name', 'code']);
    await page.getByLabel('Columns').getByLabel(/^code/).uncheck();
    await expect.poll(() => page.locator('thead .name').allTextContents()).toEqual(['name']);
  });

  it('is shared by its address', async () => {
    const url = `${origin}/?model=cities&attributes=name,population&where=country_code.eq.CH&sort=-population&page=2&size=10`;
    const first = await openSignedIn(browser(), url);
    await seeRange(first.page, 'records 11–20');
    const shared = first.page.url();
    const second = await openSignedIn(browser(), shared);
    await seeRange(second.page, 'records 11–20');
    expect(await columnTexts(second.page, 'name')).toEqual(await columnTexts(first.page, 'name'));
    expect(second.pageQueries()).toEqual(first.pageQueries());
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
