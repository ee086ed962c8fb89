import { expect, it } from 'vitest';

import { Grants } from './grants.ts';

function readerOf(count: number): Grants {
  const names = Array.from({ length: count }, (_, index) => `model_${index}`);
  const models = Object.fromEntries(names.map((name) => [name, { attributes: 'all' as const }]));
  return new Grants({ catalogue: new Map() }, { reader: { models } });
}

const grantOf = (grants: Grants, tenant: number, length: number) =>
  grants.principalOf({ id: '', role: 'reader', claims: { tenant, name: 'x'.repeat(length) } })
    .grant;

it.each([
  ['kept', { models: 1, callers: 4000, length: 0 }],
  ['dropped once they are many', { models: 1, callers: 6000, length: 0 }],
  ['dropped sooner where they have thousands of models', { models: 3000, callers: 60, length: 0 }],
  ['dropped sooner where claims are long', { models: 1, callers: 200, length: 100_000 }],
])('grants of an app’s callers are %s', (what, { models, callers, length }) => {
  const grants = readerOf(models);
  const first = grantOf(grants, 0, length);
  for (let tenant = 0; tenant < callers; tenant += 1) grantOf(grants, tenant, length);
  expect(grantOf(grants, 0, length) === first).toBe(what === 'kept');
});
