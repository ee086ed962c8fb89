import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { TOKEN } from '../support/service.ts';

/** A query that the page sent. */
export interface SentQuery {
  readonly query_model: string;
  readonly query_attributes: readonly string[];
  readonly page: { readonly page: number; readonly size: number };
  readonly query_filter?: unknown;
  readonly query_sort?: unknown;
  readonly query_total?: unknown;
}

/** An explorer in a browser context of its own. */
export interface Explorer {
  readonly page: Page;
  /**
   * The queries that were sent for pages so far, without those of one record that count, and those
   * without a total, which depend on how fast the machine is.
   */
  readonly pageQueries: () => SentQuery[];
  /** All queries that were sent. */
  readonly queries: SentQuery[];
}

/** For each step of a test, however busy the machine is. */
const TIME_LIMIT_MS = 120_000;

/**
 * Opens an address of the explorer, which closes with the test. The page must break no policy,
 * throw nothing, and request no other origin: a test in which it does fails at its end.
 *
 * @param others origins that are requested too
 */
export async function openExplorer(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<Explorer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(TIME_LIMIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  const queries: SentQuery[] = [];
  const origins = [new URL(url).origin, ...others];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) errors.push(message.text());
  });
  page.on('request', (request) => {
    const isAllowed = origins.some((origin) => request.url().startsWith(`${origin}/`));
    if (!isAllowed && !/^(blob|data):/.test(request.url()))
      errors.push(`requested ${request.url()}`);
  });
  await context.exposeFunction('noteQuery', (body: string) =>
    queries.push(JSON.parse(body) as SentQuery),
  );
  await context.addInitScript(noteQueries);
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  return {
    page,
    queries,
    pageQueries: () =>
      queries.filter(({ page: { size }, query_total: total }) => size > 1 && total === undefined),
  };
}

declare global {
  var noteQuery: (body: string) => Promise<void>;
}

/** Runs in the page: the tools of the browser do not show the body of a `Request`. */
function noteQueries(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/dynamic/query'))
      await globalThis.noteQuery(await request.clone().text());
    return send(request);
  };
}

/** Opens an address and signs in. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  { keeping }: { readonly keeping?: string } = {},
): Promise<Explorer> {
  const explorer = await openExplorer(browser, url, options);
  if (keeping !== undefined) await explorer.page.getByLabel(keeping).check();
  await signIn(explorer.page);
  return explorer;
}

/** Signs in with the form that the page shows. */
export async function signIn(page: Page, token = TOKEN): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the page says that it shows these records. */
export async function seeRange(page: Page, text: string): Promise<void> {
  await page.locator('.range', { hasText: text }).waitFor();
}

/** Waits until every model has its total: the page then asks for nothing more by itself. */
export async function seeTotals(page: Page): Promise<void> {
  const totals = page.locator('.models .total').filter({ hasText: /\d/ });
  await expect
    .poll(async () => (await totals.count()) === (await page.locator('.models li').count()))
    .toBe(true);
}

/** The texts of a column's cells. */
export async function columnTexts(page: Page, name: string): Promise<string[]> {
  const names = await page.locator('thead .name').allTextContents();
  return page.locator(`td[data-column="${names.indexOf(name)}"]`).allTextContents();
}

/** Chooses from the menu of a column's head. */
export async function chooseOfColumn(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Column ${name}`, exact: true }).click();
  await page.getByRole('menu').getByText(item, { exact: true }).click();
}
