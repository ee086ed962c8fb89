import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { columnTexts, openAlone, openSignedIn, seeRange } from './open-explorer.ts';
import { shopOfTests } from './shop.ts';

describeInBrowser('a search', (browser) => {
  const origin = inject('demo');
  const wide = shopOfTests();

  it('looks into every text attribute, beside the filter', async () => {
    const { page, pageQueries } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&where=continent_code.eq.EU&attributes=code,name`,
    );
    await page.getByLabel('Search records').fill('bern');
    await page.getByLabel('Search records').press('Enter');
    await seeRange(page, 'record 1 of 1');
    expect(await columnTexts(page, 'name')).toEqual(['Switzerland']);
    const filter = pageQueries().at(-1)?.query_filter as { readonly and: readonly unknown[] };
    expect(filter.and[0]).toEqual({ attribute: 'continent_code', op: 'eq', value: 'EU' });
    expect(new URL(page.url()).search).toContain('search=bern');
    await page.getByLabel('Search records').fill('');
    await seeRange(page, 'records 1–50');
  });

  it('is refused, not shortened, where the filter would have too many comparisons', async () => {
    const { page, pageQueries } = await openSignedIn(browser(), `${wide()}/?model=wide`);
    await page.getByLabel('Search records').fill('needle');
    await page.getByLabel('Search records').press('Enter');
    await seeRange(page, 'record 1 of 1');
    expect(JSON.stringify(pageQueries().at(-1)?.query_filter).match(/icontains/g)).toHaveLength(49);
    await page.goto(`${wide()}/?model=wide&where=id.eq.1&where=id.gte.0&search=needle`);
    await page.getByText('has room for 48 comparisons more').waitFor();
    await page.getByText('a filter has at most 50 comparisons').first().waitFor();
  });
});

describeInBrowser('a record', (browser) => {
  const origin = inject('demo');

  it('opens beside the table from its number, with every attribute, and has an address', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&attributes=name&where=population.gte.10000000&sort=-population`,
    );
    await seeRange(page, 'of 15');
    await page.getByRole('button', { name: '2', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Record cities 745044' });
    await panel.getByText('14804116').waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe('745044');
    await page.locator('td[data-row="0"]').first().click();
    await page.getByRole('complementary', { name: 'Record cities 1796236' }).waitFor();
    await page.getByRole('button', { name: 'Close the record' }).click();
    expect(new URL(page.url()).search).not.toContain('record');
    await page.locator('td[data-row="1"]').first().focus();
    await page.keyboard.press('Space');
    await panel.waitFor();
  });

  it('leads to what it refers to, and back to what refers to it', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=cities&record=745044`);
    const city = page.getByRole('complementary', { name: 'Record cities 745044' });
    await city.getByRole('link', { name: 'countries →' }).click();
    const country = page.getByRole('complementary', { name: 'Record countries TR' });
    await country.getByText('Ankara').waitFor();
    const item = country.getByRole('listitem').filter({ hasText: 'cities' });
    const total = item.locator('.total');
    await expect.poll(() => total.textContent()).toMatch(/^[\d,]+$/);
    const count = await total.textContent();
    await item.getByRole('link').click();
    await seeRange(page, `of ${count}`);
    expect(new URL(page.url()).search).toBe('?model=cities&where=country_code.eq.TR');
  });

  it('opens on its page by a link, whatever the filter and the order', async () => {
    const url = `${origin}/?model=cities&attributes=name&where=population.gte.1000000&sort=-name&size=10`;
    const { page } = await openSignedIn(browser(), url);
    await page.getByLabel('Page', { exact: true }).fill('12');
    await page.getByLabel('Page', { exact: true }).press('Enter');
    await seeRange(page, 'records 111–120');
    await page.getByRole('button', { name: '115', exact: true }).click();
    // The button moves aside for this one once the record is there.
    await page.getByRole('button', { name: 'Copy JSON' }).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const read = async () => page.evaluate(async () => navigator.clipboard.readText());
    await expect.poll(read).toMatch(/size=10&record=\d+$/);
    const shared = await openSignedIn(browser(), await read());
    await seeRange(shared.page, 'records 111–120');
    expect(await columnTexts(shared.page, 'name')).toEqual(await columnTexts(page, 'name'));
    expect(await shared.page.locator('tr.open th').textContent()).toBe('115');
    expect(new URL(shared.page.url()).search).toContain('page=12&');
    // The page that was found is the page of the view: it is read once.
    expect(shared.pageQueries()).toHaveLength(1);
  });

  it('that the filter leaves out is shown beside the first page, and that is said', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=countries&where=continent_code.eq.EU&record=JP`,
    );
    await page.getByText('The filter of the view leaves this record out.').waitFor();
    await page.getByText('Tokyo').waitFor();
    await seeRange(page, 'records 1–50');
    expect(await page.locator('tr.open').count()).toBe(0);
  });

  it('that is not there is said to be missing', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/?model=countries&record=ZZ`);
    await page.getByText('There is no such record').waitFor();
    expect(await page.locator('aside.record dl').count()).toBe(0);
  });
});

describeInBrowser('a moment', (browser) => {
  const origin = shopOfTests();

  it('is shown by the clock of the reader, and is copied and hovered exactly', async () => {
    const { page } = await openAlone(browser(), `${origin()}/?model=moments&attributes=id,at`, {
      timezoneId: 'Asia/Tokyo',
    });
    await seeRange(page, 'record 1 of 1');
    expect(await columnTexts(page, 'at')).toEqual(['2026-02-01 07:15:30.123456']);
    await page.getByRole('columnheader', { name: 'Asia/Tokyo' }).waitFor();
    const cell = page.locator('td[data-column="1"]');
    expect(await cell.getAttribute('title')).toMatch(
      /^2026-01-31T22:15:30\.123456(Z|\+00:00), exactly$/,
    );
    await cell.click();
    await page.keyboard.press('Control+c');
    await expect
      .poll(async () => page.evaluate(async () => navigator.clipboard.readText()))
      .toMatch(/^2026-01-31T22:15:30\.123456/);
  });

  it.each([
    ['day', '2026-01-31', '2026-02-01'],
    ['hour', '2026-01-31 22:00Z', '2026-02-01 07:00+09:00'],
  ])(
    'is counted in the %s of the zone that is chosen, which the address has, whatever the clock of the reader says',
    async (unit, inUtc, inTokyo) => {
      const url = `${origin()}/?model=moments&group=at:${unit}`;
      const { page } = await openAlone(browser(), url, { timezoneId: 'Asia/Tokyo' });
      const zone = () => new URL(page.url()).searchParams.get('zone');
      const groups = page.getByRole('region', { name: 'Groups' });
      await groups.getByText(inUtc).waitFor();
      await groups.getByLabel('Time zone').selectOption('Asia/Tokyo');
      await groups.getByText(inTokyo).waitFor();
      expect([await groups.getByText(inUtc).count(), zone()]).toEqual([0, 'Asia/Tokyo']);
      await groups.getByLabel('Time zone').selectOption('UTC');
      await groups.getByText(inUtc).waitFor();
      expect(zone()).toBeNull();
    },
  );
});
