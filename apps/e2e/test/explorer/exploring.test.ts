import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Page } from 'playwright-core';
import { afterAll, expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findings } from './findings.ts';
import { tabTo } from './keyboard.ts';
import { chooseOfColumn, columnTexts, openAlone, openSignedIn, seeRange } from './open-explorer.ts';
import { serviceOfTests } from './service-of-tests.ts';
import { CLERK, shopOfTests } from './shop.ts';

/** The head of a column. */
const headOf = (page: Page, name: string) =>
  page.locator('thead th').filter({ has: page.getByText(name, { exact: true }) });

const widthOf = async (page: Page, name: string): Promise<number> =>
  headOf(page, name).evaluate((head) => Math.round(head.getBoundingClientRect().width));

describeInBrowser('the overview', (browser) => {
  const origin = inject('demo');

  it('has every model with its total and its key, and leads to it', async () => {
    const { page } = await openSignedIn(browser(), origin);
    const row = page.getByRole('row', { name: /^country_languages/ });
    await row.getByText('371').waitFor();
    expect(await row.locator('.key').textContent()).toBe('country_code, language_code');
    await row.getByRole('link').click();
    await seeRange(page, 'of 371');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('draws how models refer to each other, as a file too', async () => {
    const { page } = await openSignedIn(browser(), origin);
    const titles = page.locator('.references .arrow title');
    await expect.poll(() => titles.allTextContents()).toContain('cities refers to countries');
    expect(await titles.allTextContents()).toContain('countries refers to countries');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const file = join(await temporaryFolder(), 'references.svg');
    await (await downloading).saveAs(file);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(text).toMatch(/<text[^>]* fill="rgb[^>]*>countries</);
    expect(text).not.toMatch(/class=|<a |href="\?/);
  });
});

const NARROW = { width: 360, height: 800 };

describeInBrowser('the overview of models without a key', (browser) => {
  const origin = shopOfTests();

  it.each([
    [
      'a date in it',
      'visits',
      'has dates',
      'Single records cannot be shown: a part of its key is a date, which SQLite may store in ' +
        'several forms. An operator can declare another `key` for the model, or `type: text` for ' +
        'the date.',
    ],
    [
      'a role that does not see it',
      'badges',
      'not visible',
      'Single records cannot be shown: the token does not see every part of its key. ' +
        'An operator can let the role see every attribute of the key.',
    ],
  ])(
    'unfolds by keyboard, as text for screen readers too, why there is none and what to do: %s',
    async (_why, model, short, full) => {
      const { page } = await openSignedIn(browser(), origin(), { viewport: NARROW }, CLERK);
      const row = page.getByRole('row', { name: new RegExp(`^${model}`) });
      const [fold, text] = [row.locator('summary'), row.getByText(full)];
      await row.getByText('0', { exact: true }).waitFor();
      expect(await fold.textContent()).toBe(short);
      expect(await text.isVisible()).toBe(false);
      await tabTo(page, fold);
      await page.keyboard.press('Enter');
      await text.waitFor();
      const { x = 0, width = Infinity } = (await text.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(NARROW.width);
      const read = await row.locator('.key').ariaSnapshot();
      expect(read.replaceAll(/\s+/g, ' ')).toContain(full);
      expect(await findings(page, ['.overview'])).toEqual([]);
      await page.keyboard.press('Enter');
      await text.waitFor({ state: 'hidden' });
    },
  );
});

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

describeInBrowser('a view that is saved', (browser) => {
  it('is there after a reload, in the overview too, until it is removed', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${inject('demo')}/?model=cities&where=population.gte.10000000&sort=-population`,
    );
    await seeRange(page, 'of 15');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Largest');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByRole('link', { name: 'Largest' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Largest' }).click();
    await seeRange(page, 'of 15');
    expect(new URL(page.url()).search).toContain('sort=-population');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Remove Largest' }).click();
    await page.getByText('None is saved yet.').waitFor();
  });
});

describeInBrowser('an explorer with the name, logo and colour of an operator', (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const origin = serviceOfTests(() => {
    const [logo, settings] = [join(directory, 'logo.svg'), join(directory, 'settings.yaml')];
    writeFileSync(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle r="9"/></svg>',
    );
    const branding = `{ name: Shop data, logo: ${logo}, colour: '#ffe100' }`;
    writeFileSync(settings, `branding: ${branding}\nexpose: all\n`);
    const file = join(directory, 'many.db');
    const database = new DatabaseSync(file);
    database.exec('create table model0 (id integer primary key)');
    for (let number = 1; number <= 40; number += 1)
      database.exec(
        `create table model${number} (id integer primary key, other references model${number - 1})`,
      );
    database.close();
    return ['--config', settings, '--database', `sqlite:${file}`];
  });

  it('shows them, and can be read in light and in dark', async () => {
    const { page } = await openSignedIn(browser(), `${origin()}/?model=model0`);
    await seeRange(page, 'no records');
    expect(await page.title()).toBe('model0 · Shop data');
    const logo = page.getByRole('link', { name: 'Shop data' }).locator('img');
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(20);
    await page.getByRole('button', { name: 'Filter' }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findings(page, ['.top', '.panel'])).toEqual([]);
    }
  });

  it('says in its overview that the references of many models are too many for a picture', async () => {
    const { page } = await openSignedIn(browser(), origin());
    await page.getByText('41 models refer to each other.').waitFor();
    expect(await page.locator('svg.references').count()).toBe(0);
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
});
