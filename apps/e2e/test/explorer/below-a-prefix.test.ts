import { openPrefixProxy } from '@proj/test-servers';
import { expect, inject, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openExplorer, seeRange, signIn } from './open-explorer.ts';

describeInBrowser('below a path of a proxy', (browser) => {
  it('the explorer shows records, and every file of its page is there', async () => {
    const proxy = await openPrefixProxy('/data');
    onTestFinished(proxy.close);
    proxy.passTo(inject('demo'));
    const { page } = await openExplorer(browser(), `${proxy.url}/?model=continents`);
    const failed: string[] = [];
    page.on('response', (reply) => {
      if (!reply.ok()) failed.push(reply.url());
    });
    await page.reload();
    await signIn(page);
    await seeRange(page, 'records 1–7 of 7');
    expect(failed).toEqual([]);
  });

  it('the API reference asks the service where it is', async () => {
    const proxy = await openPrefixProxy('/data');
    onTestFinished(proxy.close);
    proxy.passTo(inject('demo'));
    const page = await browser().newPage();
    onTestFinished(async () => page.close());
    await page.goto(`${proxy.url}/docs`);
    const operation = page.locator('.opblock').filter({ hasText: '/livez' });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const asked = page.waitForRequest((request) => request.url().endsWith('/livez'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    expect((await asked).url()).toBe(`${proxy.url}/livez`);
    await operation.getByText('"status": "live"').first().waitFor();
  });
});
