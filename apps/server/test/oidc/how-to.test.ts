import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { settingsSchema } from '../../src/settings/schema.ts';

const PAGE = new URL('../../../../docs/guides/sign-in.md', import.meta.url);

const EXAMPLES = [...readFileSync(PAGE, 'utf8').matchAll(/^```yaml title="(.*?)"\n(.*?)^```$/gms)];

it.each(EXAMPLES.map(([, title = '', yaml = '']) => [title, yaml]))(
  'the settings of %s in the page about signing in are accepted',
  (_, yaml) => {
    const read = settingsSchema.safeParse({ database: 'sqlite:shop.db', ...parse(yaml) });
    expect(read.error?.issues).toBeUndefined();
    const { oidc, jwt, roles } = read.data ?? {};
    expect(jwt?.map(({ issuer }) => issuer)).toEqual([oidc?.issuer]);
    expect(jwt?.flatMap((issuer) => [...issuer.roles.values()])).toEqual(Object.keys(roles ?? {}));
  },
);

it('the page about signing in has settings for three makes of providers', () => {
  expect(EXAMPLES.map(([, title]) => title)).toEqual(['keycloak.yaml', 'entra.yaml', 'auth0.yaml']);
});
