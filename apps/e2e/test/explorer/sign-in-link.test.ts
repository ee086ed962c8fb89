import { expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { openExplorer, seeRange } from './open-explorer.ts';
import { startDemo } from './service.ts';

/** Starts a demo that makes its token itself, until the end of the test. */
async function startWithLink() {
  const { output, origin, stop } = await startDemo({ token: '' });
  onTestFinished(stop);
  const [, fragment = ''] = /\/(#code=\S+)/.exec(output()) ?? [];
  return { origin, fragment };
}

describeInBrowser('the link that the start prints', (browser) => {
  it('signs in, keeps the view, and leaves no code in the address', async () => {
    const { origin, fragment } = await startWithLink();
    const view = `${origin}/?model=continents`;
    const { page } = await openExplorer(browser(), view + fragment);
    await seeRange(page, 'records 1–7 of 7');
    expect(page.url()).toBe(view);
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
    await page.reload();
    await seeRange(page, 'records 1–7 of 7');

    const second = await openExplorer(browser(), view + fragment);
    await second.page.getByText('The link was used already').waitFor();
    expect(second.page.url()).toBe(view);
    await second.page.getByLabel('Access token').waitFor();
  });

  it('signs in where it is opened in a page that asks for a token', async () => {
    const { origin, fragment } = await startWithLink();
    const { page } = await openExplorer(browser(), `${origin}/?model=continents`);
    await page.getByLabel('Access token').waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await seeRange(page, 'records 1–7 of 7');
    expect(page.url()).toBe(`${origin}/?model=continents`);
  });
});
