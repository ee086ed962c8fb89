import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findings } from './findings.ts';
import { tabTo } from './keyboard.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';
import { CLERK, shopOfTests } from './shop.ts';

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

  it('says what cannot be read in it, and does not show records without its filter', async () => {
    const { page } = await openSignedIn(browser(), inject('demo'));
    await page.evaluate(() => {
      const search = 'model=cities&where=population.gtee.10000000&sort=-population';
      const saved = JSON.stringify([{ name: 'Largest', search }]);
      localStorage.setItem(`dynamic-query-views ${location.pathname}`, saved);
    });
    await page.reload();
    await page.getByRole('link', { name: 'Largest' }).click();
    await page.getByText('population.gtee.10000000').waitFor();
    expect(new URL(page.url()).search).toContain('where=population.gtee.10000000');
    expect(await page.getByRole('grid').count()).toBe(0);
  });
});
