import { expect, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { readBlocks } from './document.ts';
import { Reader } from './reader.ts';

const BLOCKS = readBlocks('docs/start.md');

describeInBrowser('the tutorial', (browser) => {
  it('leads from an empty folder to a grid with pages, and prints what it shows', async () => {
    const reader = await Reader.create();
    for (const block of BLOCKS) await reader.follow(block);
    const page = await browser().newPage();
    await page.goto(`http://127.0.0.1:${reader.port('8080')}/`);
    await page.fill('#token', reader.token);
    await page.press('#token', 'Enter');
    await page.getByText('page 1 of 120, 1200 orders').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('page 2 of 120, 1200 orders').waitFor();
    const cells = await page.locator('tbody tr').first().locator('td').allTextContents();
    expect(cells).toEqual(['1189', 'Customer 20', '29', '2026-10-25', '']);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('page 1 of 120, 1200 orders').waitFor();
    await page.close();
  });
});
