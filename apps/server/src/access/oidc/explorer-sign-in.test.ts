import { expect, it, onTestFinished, vi } from 'vitest';

import type { Settings } from '../../settings/schema.ts';
import { explorerFacts, ExplorerSignIn } from './explorer-sign-in.ts';

const ISSUER = 'https://id.example';
const OIDC = { issuer: ISSUER, client_id: 'explorer', scopes: ['openid'], parameters: {} };
const WELL_KNOWN = '/.well-known/openid-configuration';

const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/a;b,c;d,e?query`,
});

/** Settings of this provider, and of issuers of JWTs with these audiences. */
function settingsOf(oidc: object | undefined, audiences: Record<string, unknown> = {}) {
  const jwt = Object.entries(audiences).map(([issuer, audience]) => ({ issuer, audience }));
  return { oidc, jwt } as unknown as Pick<Settings, 'oidc' | 'jwt'>;
}

function start(oidc: object | undefined, audiences?: Record<string, unknown>) {
  const fetch = vi.fn<(url: string, options: RequestInit) => Promise<Response>>(async (url) =>
    Promise.resolve(
      url.includes('away')
        ? new Response(null, { status: 503 })
        : Response.json(documentOf(url.replace(WELL_KNOWN, ''))),
    ),
  );
  const log = { info: () => undefined, warn: () => undefined };
  const parts = { fetch: fetch as typeof globalThis.fetch, now: () => 0, log };
  const signIn = new ExplorerSignIn(settingsOf(oidc, audiences), parts);
  onTestFinished(() => signIn.close());
  const signals = () => fetch.mock.calls.map(([url, { signal }]) => [url, signal?.aborted]);
  return { signIn, signals };
}

it('offers nothing, and asks nobody, where the settings name no provider', async () => {
  const { signIn, signals } = start(undefined, { [ISSUER]: 'api' });
  expect([await signIn.offer(), signals()]).toEqual([undefined, []]);
  expect(explorerFacts(undefined)).toEqual({ meta: {} });
});

it.each([
  [{ 'https://other.example': 'other', [ISSUER]: 'api' }, ['api']],
  [{ [ISSUER]: ['api', 'shop'] }, ['api', 'shop']],
  [{}, []],
])(
  'offers the provider with the audience that its tokens need: %j',
  async (audiences, audience) => {
    const offer = await start(OIDC, audiences).signIn.offer();
    expect(offer).toEqual({ ...OIDC, audience, provider: documentOf(ISSUER) });
    expect(explorerFacts(offer)).toEqual({
      meta: { 'sign-in': JSON.stringify(offer) },
      asked: [`${ISSUER}/a%3Bb%2Cc%3Bd%2Ce`],
    });
  },
);

it('offers a provider that is away, of which the page can ask nothing yet', async () => {
  const offer = await start({ ...OIDC, issuer: 'https://away.example' }).signIn.offer();
  expect(offer).toMatchObject({ issuer: 'https://away.example', provider: null });
  expect(explorerFacts(offer).asked).toEqual([]);
});

it('reads another provider where the settings name another one, and only then', async () => {
  const { signIn, signals } = start(OIDC);
  signIn.apply(settingsOf({ ...OIDC }, { [ISSUER]: 'api' }));
  expect(await signIn.offer()).toMatchObject({ audience: ['api'] });
  expect(signals()).toEqual([[ISSUER + WELL_KNOWN, false]]);

  const early = signIn.offer();
  signIn.apply(settingsOf({ ...OIDC, issuer: 'https://new.example' }));
  expect(await early).toMatchObject({ issuer: 'https://new.example', provider: null });
  const document = documentOf('https://new.example');
  expect(await signIn.offer()).toMatchObject({ provider: document });
  expect(signals()).toEqual([
    [ISSUER + WELL_KNOWN, true],
    [`https://new.example${WELL_KNOWN}`, false],
  ]);
  signIn.apply(settingsOf(undefined));
  expect(await signIn.offer()).toBeUndefined();
});
