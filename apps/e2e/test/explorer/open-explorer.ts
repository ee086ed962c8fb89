import { isDeepStrictEqual } from 'node:util';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
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

/** A view of many pages, of the demo. */
export const LARGE_CITIES = 'model=cities&where=population.gte.100000&sort=-population,name';

/** An explorer in a page of its own. */
export interface Explorer {
  readonly page: Page;
  /** The queries that were sent for pages so far, as {@link pagesOf} counts them. */
  readonly pageQueries: () => SentQuery[];
  /** All queries that were sent. */
  readonly queries: SentQuery[];
}

/** Half of what a test has: one that waits in vain says for what. */
const TIME_LIMIT_MS = 14_000;

/** What the explorer calls the token of a tab. */
const TOKEN_KEY = 'dynamic-query-token /';

/** Of the things that Firefox does not know: nothing moves, and pages read what they have copied. */
const CHROMIUM = {
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
} as const satisfies BrowserContextOptions;

/** How a page of the explorer differs from others. */
export interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

/**
 * Opens an address of the explorer in a context of its own, in which nobody is signed in; both close
 * with the test. The page must break no policy, throw nothing, and request no other origin: a test
 * in which it does fails at its end.
 *
 * @param others origins that are requested too
 */
export async function openExplorer(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<Explorer> {
  const context = await newContext(browser, options);
  onTestFinished(async () => context.close());
  const page = await context.newPage();
  return openPage(page, url, options, others);
}

/** Opens an address as {@link openExplorer} does, with a token that the tab keeps. */
export async function openAlone(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Explorer> {
  const context = await newContext(browser, options);
  onTestFinished(async () => context.close());
  const page = await context.newPage();
  await keepToken(page, TOKEN);
  return openPage(page, url, options);
}

/**
 * Opens an address as {@link openAlone} does, in the context that the tests share: it has loaded the
 * explorer already. Its storage is emptied when a test ends.
 */
export async function openSignedIn(
  browser: Browser,
  url: string,
  options: PageOptions = {},
  token: string = TOKEN,
): Promise<Explorer> {
  const page = await (await sharedContext(browser)).newPage();
  onTestFinished(async () => {
    await page.evaluate(emptyStorage);
    await page.close();
  });
  await keepToken(page, token);
  return openPage(page, url, options);
}

const contexts = new WeakMap<Browser, Promise<BrowserContext>>();

/** It ends with its browser. */
async function sharedContext(browser: Browser): Promise<BrowserContext> {
  const known = contexts.get(browser);
  if (known !== undefined) return known;
  const context = newContext(browser);
  contexts.set(browser, context);
  // The process of its pages ends with the last one: this one keeps what has been compiled.
  await (await context).newPage();
  return context;
}

/** The queries of each page that is open. */
const sent = new WeakMap<Page, SentQuery[]>();

async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...(browser.browserType().name() === 'chromium' && CHROMIUM),
    ...options,
  });
  context.setDefaultTimeout(TIME_LIMIT_MS);
  await context.exposeBinding('noteQuery', ({ page }, body: string) => {
    sent.get(page)?.push(JSON.parse(body) as SentQuery);
  });
  await context.addInitScript(noteQueries);
  return context;
}

async function openPage(
  page: Page,
  url: string,
  { viewport, colorScheme }: Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>,
  others: readonly string[] = [],
): Promise<Explorer> {
  const errors: string[] = [];
  const queries: SentQuery[] = [];
  sent.set(page, queries);
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
  onTestFinished(() => expect(errors).toEqual([]));
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  await page.goto(url);
  return {
    page,
    queries,
    pageQueries: () => pagesOf(queries),
  };
}

/**
 * The pages that were asked for, without single records. One that takes longer than a second, as
 * every page may on a busy machine, is asked for again without its total: that counts as one.
 */
function pagesOf(queries: readonly SentQuery[]): SentQuery[] {
  const pages: SentQuery[] = [];
  for (const { query_total: _, ...query } of queries)
    if (query.page.size > 1 && !isDeepStrictEqual(query, pages.at(-1))) pages.push(query);
  return pages;
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

/** Signs the page in as the explorer does that finds a token in its tab. */
async function keepToken(page: Page, token: string): Promise<void> {
  await page.addInitScript(keepInTab, [TOKEN_KEY, token] as const);
}

/** Runs in the page, and in Firefox first in an empty one of no origin, which may keep nothing. */
function keepInTab([key, value]: readonly [string, string]): void {
  if (globalThis.origin !== 'null') sessionStorage.setItem(key, value);
}

/** Runs in the page: the next test of the file finds nothing. */
function emptyStorage(): void {
  localStorage.clear();
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
