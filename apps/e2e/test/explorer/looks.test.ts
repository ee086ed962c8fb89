import { describe, expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings, LOOKS, openView } from './findings.ts';
import { chooseOfColumn, openExplorer, openSignedIn } from './open-explorer.ts';

describeInBrowser('the explorer', (browser) => {
  const origin = inject('demo');

  describe.each(LOOKS)('in its $colorScheme colours at $width pixels', ({ colorScheme, width }) => {
    const options = { colorScheme, viewport: { width, height: 800 } };

    it('has no finding of axe where it signs in, and in its overview', async () => {
      const start = await openExplorer(browser(), origin, options);
      await start.page.getByLabel('Access token').waitFor();
      expect(await findings(start.page)).toEqual([]);
      const overview = await openSignedIn(browser(), origin, options);
      await overview.page.locator('.references').waitFor();
      expect(await findings(overview.page)).toEqual([]);
    });

    it('has no finding of axe in the table, its panels and its menu', async () => {
      const page = await openView(browser(), options);
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.locator('td').nth(3).click();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Column population' }).click();
      expect(await findings(page, ['[role=menu]', '.panel'])).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Facets' }).click();
      await page.locator('.facet-row').first().waitFor();
      expect(await findings(page, ['.facets'])).toEqual([]);
      // On a small screen they cover the table.
      await page.getByRole('button', { name: 'Close the facets' }).click();
      await page.getByRole('button', { name: 'Open record' }).click();
      await page.locator('aside.record dl').waitFor();
      expect(await findings(page, ['aside.record'])).toEqual([]);
    });

    it('has no finding of axe in its windows', async () => {
      const page = await openView(browser(), options);
      await page.locator('td').nth(3).click();
      await chooseOfColumn(page, 'population', 'Distribution …');
      await page.getByText('Counted over all').waitFor();
      expect(await findings(page, ['dialog'])).toEqual([]);
      await page.keyboard.press('Escape');
      for (const [button, ready] of [
        ['Copy as …', 'The token is read from'],
        ['Views …', 'kept in this browser only'],
        ['Export …', 'All records are of one state'],
        ['Full view', 'characters'],
      ] as const) {
        await page.getByRole('button', { name: button }).click();
        await page.getByText(ready).waitFor();
        expect(await findings(page, ['dialog'])).toEqual([]);
        await page.keyboard.press('Escape');
      }
    });
  });

  it('has no finding of axe where the service reports an error', async () => {
    const { page } = await openSignedIn(
      browser(),
      `${origin}/?model=cities&where=population.gte.many&size=5000`,
    );
    await page.getByText('2 errors are marked').waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
