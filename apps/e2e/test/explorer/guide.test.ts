import { readFileSync } from 'node:fs';

import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { ROOT } from '../docs/document.ts';
import { openSignedIn, seeRange } from './open-explorer.ts';

const GUIDE = readFileSync(new URL('docs/explorer.md', ROOT), 'utf8');
const [PAGE = '', KEYS = ''] = GUIDE.split('## Keys');
const ADDRESSES = [...PAGE.matchAll(/`(\?model=[^`]+)`/g)].map(([, address = '']) => address);

/** What stands before and behind the colon of each item. */
function itemsOf(text: string): string[][] {
  const items = text.split('\n').filter((line) => line.startsWith('- `'));
  return items.map((item) => item.slice(2).replaceAll('`', '').split(': '));
}

describeInBrowser('the guide to the explorer', (browser) => {
  const origin = inject('demo');

  it('shows addresses that open the views that it says', async () => {
    expect(ADDRESSES).toHaveLength(10);
    const { page } = await openSignedIn(browser(), `${origin}/`);
    await page.locator('.overview').waitFor();
    for (const address of ADDRESSES) {
      await page.goto(`${origin}/${address}`);
      if (address.includes('group=')) await page.locator('.groups tbody tr').first().waitFor();
      else await seeRange(page, 'records');
      expect(await page.locator('.banner').count()).toBe(0);
    }
    await page.locator('tr.open', { hasText: 'Bern' }).waitFor();
  });

  it('lists the keys that the explorer lists', async () => {
    const { page } = await openSignedIn(browser(), `${origin}/`);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').getByText('Show this list').waitFor();
    const shown = await page
      .locator('.shortcuts div')
      .evaluateAll((all) =>
        all.map((row) => [
          [...row.querySelectorAll('kbd')].map((key) => key.textContent).join(' '),
          row.querySelector('dd')?.textContent,
        ]),
      );
    expect(itemsOf(KEYS)).toEqual(shown);
  });

  it('names every choice of the form that signs in', async () => {
    for (const choice of ['Do not keep it', 'Keep it in this tab', 'Keep it in this browser'])
      expect(GUIDE).toContain(`- ${choice}: `);
  });
});
