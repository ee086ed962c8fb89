import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { chooseOfColumn, openSignedIn, seeRange } from './open-explorer.ts';

const leaf = (attribute: string, value: string) => ({ attribute, op: 'eq', value });

describeInBrowser('the filter of a view', (browser) => {
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

  it('has the focus where a column is to be filtered by, also when it is open', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&where=continent_code.eq.EU`,
    );
    for (const [column, value] of [
      ['code', 'D'],
      ['name', 'G'],
    ] as const) {
      await chooseOfColumn(page, column, `Filter by ${column} …`);
      await page.keyboard.type(value);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`where=${column}`));
    }
    const filter = {
      and: [
        leaf('continent_code', 'EU'),
        { attribute: 'code', op: 'icontains', value: 'D' },
        { attribute: 'name', op: 'icontains', value: 'G' },
      ],
    };
    await expect.poll(() => pageQueries().at(-1)?.query_filter).toEqual(filter);
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
});
