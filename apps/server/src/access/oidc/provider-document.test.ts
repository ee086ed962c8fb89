import { expect, it, vi } from 'vitest';

import { readProviderDocument } from './provider-document.ts';

const ISSUER = 'https://id.example/';

const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}auth`,
  token_endpoint: `${ISSUER}token`,
};

function read(document: unknown) {
  const fetch = vi.fn<typeof globalThis.fetch>().mockResolvedValue(Response.json(document));
  const { signal } = new AbortController();
  return { reading: readProviderDocument(ISSUER, { fetch, signal }), fetch };
}

it('is read as JSON from below the issuer, which may end with a slash', async () => {
  const { reading, fetch } = read({
    ...DOCUMENT,
    code_challenge_methods_supported: ['plain', 'S256'],
  });
  expect(await reading).toMatchObject(DOCUMENT);
  const { headers } = fetch.mock.calls[0]?.[1] ?? {};
  expect([fetch.mock.calls[0]?.[0], headers]).toEqual([
    'https://id.example/.well-known/openid-configuration',
    { accept: 'application/json' },
  ]);
});

it.each([
  [[], /: see all of it\.$/],
  [{ ...DOCUMENT, code_challenge_methods_supported: [7] }, /: see code_.*_supported\.0\.$/],
  [{ ...DOCUMENT, issuer: 'x'.repeat(300) }, /^It calls itself x{200}, so /],
])('is refused with a short reason: %j', async (document, reason) => {
  await expect(read(document).reading).rejects.toThrow(reason);
});
