import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort } from '@proj/test-servers';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { startDemo } from '../explorer/service.ts';
import { type Explorer, openExplorer, seeRange } from '../explorer/open-explorer.ts';
import { makeFolder } from '../support/temporary-folder.ts';
import { CLIENT_ID, type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts';
import { KEYCLOAK } from './provider-shapes.ts';
import type { ProviderShape } from './openid-provider.ts';

const TABLES = `
  create table customers (id integer primary key, name text not null);
  create table orders (id integer primary key, note text);
  insert into customers values (1, 'Ada'), (2, 'Bo');
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 120)
  insert into orders select i, 'note ' || i from n`;

/** Whom tokens are meant for. */
const AUDIENCE = 'dynamic-query';

/** The pages of the provider ask for them, and do without. */
const FONTS = 'https://fonts.googleapis.com';

export interface SignInSettings {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audience?: string;
  readonly roleClaim?: string;
  readonly scopes?: readonly string[];
  readonly clientId?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Lines of the settings for people who sign in at a provider. */
export function signInSettings({
  issuer,
  jwksUrl,
  audience = AUDIENCE,
  roleClaim = 'realm_access.roles',
  scopes = ['openid'],
  clientId = CLIENT_ID,
  parameters = {},
}: SignInSettings): string {
  return `expose: all
roles: { clerk: { models: { orders: {} } }, auditor: { models: all } }
jwt:
  - issuer: ${issuer}
    audience: ${audience}
    jwks_url: ${jwksUrl}
    clock_skew_seconds: 0
    role_claim: ${roleClaim}
    roles: { shop-auditor: auditor, shop-clerk: clerk }
oidc:
  issuer: ${issuer}
  client_id: ${clientId}
  scopes: [${scopes.join(', ')}]
  parameters: ${JSON.stringify(parameters)}
`;
}

export interface Shop {
  readonly origin: string;
  /** Puts other settings in force. */
  readonly reload: (settings: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A service with a small shop. */
export async function startShop(port: number, settings: string): Promise<Shop> {
  const folder = await makeFolder();
  const file = join(folder, 'shop.db');
  const config = join(folder, 'settings.yaml');
  const database = new DatabaseSync(file);
  database.exec(TABLES);
  database.close();
  await writeFile(config, settings);
  const args = ['--database', `sqlite:${file}`, '--config', config];
  const { child, origin, stop } = await startDemo({ args, port });
  const reload = async (changed: string): Promise<void> => {
    await writeFile(config, changed);
    child.kill('SIGHUP');
  };
  return { origin, reload, stop };
}

export interface ShopOptions extends Partial<Omit<SignInSettings, 'issuer' | 'jwksUrl'>> {
  readonly shape?: ProviderShape;
  /** Whether the provider is away when the service starts. */
  readonly isAway?: boolean;
}

export interface ShopWithProvider extends Omit<Shop, 'reload'> {
  readonly provider: OpenIdProvider;
  readonly reload: (changed: Partial<SignInSettings>) => Promise<void>;
  /** Has the service take tokens for this audience only, from when it resolves. */
  readonly expectAudience: (audience: string) => Promise<void>;
}

let shared: Promise<ShopWithProvider> | undefined;

/**
 * The shop of this worker, and the provider that its people sign in at, as if both had just been
 * started.
 */
export async function shopOfWorker(): Promise<ShopWithProvider> {
  shared ??= startShopWithProvider();
  const shop = await shared;
  await shop.provider.reset();
  const expectAudience: ShopWithProvider['expectAudience'] = async (audience) => {
    onTestFinished(async () => shop.expectAudience(AUDIENCE));
    await shop.expectAudience(audience);
  };
  return { ...shop, expectAudience };
}

/** A shop that is served otherwise, or that a test changes; it ends with the test. */
export async function ownShop(options: ShopOptions = {}): Promise<ShopWithProvider> {
  const shop = await startShopWithProvider(options);
  onTestFinished(async () => {
    await shop.stop();
    await shop.provider.stop();
  });
  return shop;
}

async function startShopWithProvider({
  shape = KEYCLOAK,
  isAway = false,
  ...settings
}: ShopOptions = {}): Promise<ShopWithProvider> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOpenIdProvider(`${origin}/`, shape, '/realms/shop');
  if (isAway) await provider.pause();
  const { issuer } = provider;
  const known = { issuer, jwksUrl: `${issuer}${shape.routes.jwks}`, ...settings };
  const shop = await startShop(port, signInSettings(known));
  // On a busy machine the service may try more than once.
  if (!isAway) await expect.poll(async () => policyOf(origin)).toContain(issuer);
  const reload: ShopWithProvider['reload'] = (changed) =>
    shop.reload(signInSettings({ ...known, ...changed }));
  const expectAudience = async (audience: string): Promise<void> => {
    await reload({ audience });
    // The page has what is in force: it names for whom tokens must be meant.
    await expect
      .poll(async () => pageOf(origin))
      .toContain(`"audience":["${audience}"]`.replaceAll('"', '&quot;'));
  };
  return { ...shop, provider, reload, expectAudience };
}

/** What the page of a service may load and ask for. */
export async function policyOf(origin: string): Promise<string> {
  return (await fetch(origin)).headers.get('content-security-policy') ?? '';
}

async function pageOf(origin: string): Promise<string> {
  return (await fetch(origin)).text();
}

/** Opens the explorer, whose page may go to the provider and ask it for tokens. */
export async function openShop(
  browser: Browser,
  { origin, provider }: Pick<ShopWithProvider, 'origin' | 'provider'>,
  search = '?model=orders&size=50',
): Promise<Explorer> {
  const others = [new URL(provider.issuer).origin, FONTS];
  const explorer = await openExplorer(browser, `${origin}/${search}`, {}, others);
  await explorer.page.route(`${FONTS}/**`, async (route) => route.abort());
  return explorer;
}

/** Goes to the provider, and says there who it is. */
export async function goToProvider(page: Page, login = 'ann'): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with / }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('password');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

/** Lets the explorer have what it asks for. */
export async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Signs in, and waits for the list. */
export async function signInAtProvider(page: Page): Promise<void> {
  await goToProvider(page);
  await allow(page);
  await seeRange(page, 'records 1–50 of 120');
}

/** Waits for the reason that the page gives, and checks that nothing is left of the attempt. */
export async function seeReason(
  page: Page,
  { origin }: ShopWithProvider,
  text: string,
): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).waitFor();
  expect(page.url()).not.toMatch(/code=|state=|error=/);
  expect(page.url().startsWith(origin)).toBe(true);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.getByRole('button', { name: /^Sign in with 127/ }).waitFor();
}

export const turnPage = async (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Next page' }).click();

/** Searches for something that no cache has, so that the service is asked. */
export async function searchFor(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Search records');
  await field.fill(text);
  await field.press('Enter');
}
