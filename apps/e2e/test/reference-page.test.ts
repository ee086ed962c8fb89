import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from './browser.ts';
import { SQLITE } from './support/database.ts';
import { startService } from './support/service.ts';

describeInBrowser('the pages about the interface', (browser) => {
  let origin = '';

  beforeAll(async () => {
    const { url, run } = await SQLITE.start();
    await run('create table cities (id integer primary key, name text)');
    ({ origin } = await startService({ database: url }));
  });

  /**
   * Opens a page that must throw nothing, break no policy, and load nothing in vain or from
   * elsewhere.
   */
  const open = async (path: string): Promise<Page> => {
    const page = await browser().newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('response', (response) => {
      if (!response.ok()) errors.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        errors.push(`requested ${request.url()}`);
    });
    onTestFinished(async () => {
      await page.close();
      expect(errors).toEqual([]);
    });
    await page.goto(`${origin}${path}`);
    return page;
  };

  it('show every operation of the reference, with its examples', async () => {
    const page = await open('/docs');
    await page.locator('.opblock').first().waitFor();
    const paths = await page.locator('.opblock-summary-path').allTextContents();
    // Swagger UI lets long paths break after each part.
    const shown = paths.map((path) => path.replaceAll('\u200B', '').trim());
    const document = await page.evaluate(
      async () => (await fetch('openapi.json')).json() as Promise<OpenApi>,
    );
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(() => path),
    );
    expect(shown.toSorted()).toEqual(operations.toSorted());
    expect(shown).toContain('/api/v1/dynamic/query');
    const query = page.locator('.opblock').filter({ hasText: '/dynamic/query' });
    await query.locator('.opblock-summary-control').click();
    await query.getByText('"query_model"').first().waitFor();
    await query.getByText('"has_next"').first().waitFor();
  });

  it('list the problems, each with a page that says what to do', async () => {
    const page = await open('/problems');
    const codes = await page.locator('dt a').allTextContents();
    expect(codes).toContain('size_too_large');
    await page.getByRole('link', { name: 'size_too_large' }).click();
    await page.getByText('What to do:').waitFor();
    expect(new URL(page.url()).pathname).toBe('/problems/size_too_large');
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).not.toBe(
      'none',
    );
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.locator('.opblock').first().waitFor();
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>;
}
