import { expect, inject, it } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { takesFocusAtOnce } from './keyboard.ts';
import { openExplorer, seeRange, signIn } from './open-explorer.ts';
import { TOKEN } from '../support/service.ts';

describeInBrowser('signing in', (browser) => {
  const origin = inject('demo');

  it('shows the view of the address, and puts the token nowhere but into the request header', async () => {
    const { page } = await openExplorer(browser(), `${origin}/?model=continents`);
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.getByLabel('Do not keep it').check();
    await signIn(page);
    await seeRange(page, 'records 1–7 of 7');
    expect([page.url(), ...urls].join(' ')).not.toContain(TOKEN);
    const kept = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie]),
    );
    expect(kept).not.toContain(TOKEN);
  });

  it('keeps the token in the tab, unless the reader does not want it: then a reload asks again', async () => {
    const { page } = await openExplorer(browser(), `${origin}/?model=continents`);
    await page.getByLabel('Do not keep it').check();
    await signIn(page);
    await seeRange(page, 'of 7');
    await page.reload();
    expect(await page.getByLabel('Do not keep it').isChecked()).toBe(true);
    const other = await openExplorer(browser(), `${origin}/?model=continents`);
    await signIn(other.page);
    await seeRange(other.page, 'of 7');
    await other.page.reload();
    await seeRange(other.page, 'of 7');
    const kept = await other.page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).not.toContain(TOKEN);
    await page.getByLabel('Keep it in this tab').check();
    await signIn(page);
    await seeRange(page, 'of 7');
    await page.reload();
    await seeRange(page, 'of 7');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByLabel('Access token').waitFor();
    expect(await page.locator('.range').count()).toBe(0);
  });

  it('is asked for once where the browser keeps the token: a shared link opens by itself', async () => {
    const { page } = await openExplorer(browser(), `${origin}/?model=continents`);
    await page.getByLabel('Keep it in this browser').check();
    await signIn(page);
    await seeRange(page, 'of 7');
    const shared = await page.context().newPage();
    await shared.goto(`${origin}/?model=languages`);
    await seeRange(shared, 'of 185');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shared.getByLabel('Access token').waitFor();
    const kept = await shared.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toContain(TOKEN);
    expect(await shared.getByLabel('Keep it in this browser').isChecked()).toBe(true);
  });

  it('begins with the focus in the field of the token', async () => {
    const { page } = await openExplorer(browser(), `${origin}/?model=continents`);
    await page.locator('input[type=password]:focus').waitFor();
    await signIn(page);
    await seeRange(page, 'of');
    const signOut = async () => page.getByRole('button', { name: 'Sign out' }).click();
    expect(await takesFocusAtOnce(page, 'input[type=password]', signOut)).toBe(true);
  });

  it('takes the same room while a token is tried and when it is refused, on a small screen too', async () => {
    const viewport = { width: 360, height: 740 };
    const { page } = await openExplorer(browser(), origin, { viewport });
    const places = async () =>
      page
        .locator('form, form input, form button')
        .evaluateAll((all) =>
          all.map((part) => JSON.stringify(part.getBoundingClientRect().toJSON())),
        );
    await page.getByLabel('Access token').waitFor();
    const before = await places();
    const answer = Promise.withResolvers<void>();
    await page.route('**/dynamic/models', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await signIn(page, 'dq_wrong');
    await page.getByRole('button', { name: 'Trying …' }).waitFor();
    expect(await places()).toEqual(before);
    answer.resolve();
    await page.getByText('does not accept this token').waitFor();
    expect(await places()).toEqual(before);
  });

  it('says why a token is not taken', async () => {
    const { page } = await openExplorer(browser(), origin);
    await signIn(page, 'dq_wrong');
    await page.getByText('does not accept this token').waitFor();
    await signIn(page, 'two words');
    await page.getByText('visible ASCII characters only').waitFor();
    expect(await page.getByLabel('Access token').getAttribute('aria-invalid')).toBe('true');
  });
});

describeInBrowser('the list of models', (browser) => {
  const origin = inject('demo');

  it('has each model with its description and its exact total, from requests for one record', async () => {
    const { page, queries } = await openExplorer(browser(), origin);
    await signIn(page);
    const cities = page.locator('.models').getByRole('link', { name: /^cities/ });
    await cities.getByText('135,233').waitFor();
    await page.getByText('The seven continents').waitFor();
    expect(queries.every(({ page: { size } }) => size === 1)).toBe(true);
    await cities.click();
    await seeRange(page, 'records 1–50 of 135,233');
    expect(new URL(page.url()).search).toBe('?model=cities');
    expect(await page.title()).toBe('cities · Dynamic Query');
  });

  it('is searched by model and by attribute', async () => {
    const { page } = await openExplorer(browser(), origin);
    await signIn(page);
    await page.getByLabel('Search models and attributes').fill('offset');
    await page.getByText('standard_offset_minutes').waitFor();
    expect(await page.locator('.models li').count()).toBe(1);
    await page.getByLabel('Search models and attributes').fill('zebra');
    await page.getByText('Nothing has this').waitFor();
  });

  it('says so where the address names a model that the token does not see', async () => {
    const { page } = await openExplorer(browser(), `${origin}/?model=citys`);
    await signIn(page);
    await page.getByText('no model of the name “citys”').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
