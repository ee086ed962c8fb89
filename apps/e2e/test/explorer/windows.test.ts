import { describe, expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { findings, LOOKS, openView } from './findings.ts';
import { chooseOfColumn } from './open-explorer.ts';

describeInBrowser('the explorer', (browser) => {
  describe.each(LOOKS)('in its $colorScheme colours at $width pixels', ({ colorScheme, width }) => {
    const options = { colorScheme, viewport: { width, height: 800 } };

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
});
