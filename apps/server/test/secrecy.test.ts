import { chmodSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { loadSettingsWithPlaces } from '../src/settings/file/load.ts';
import { checkSecrecy } from '../src/settings/secrecy.ts';
import { settingsFile } from './settings-files.ts';

interface Circumstances {
  readonly mode?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function check(
  text: string,
  { mode = 0o644, env = {} }: Circumstances = {},
): Promise<string[]> {
  const config = settingsFile(text);
  chmodSync(config, mode);
  return checkSecrecy(await loadSettingsWithPlaces({ flags: { config }, env }));
}

const STRONG = 'x'.repeat(16);

describe('a settings file', () => {
  it.each([
    ['a token', `database: sqlite:/x.db\ntoken: ${STRONG}\n`],
    ['a password', 'database: postgres://app:s3cret@db/shop\n'],
    ['a password as a parameter', 'database: postgres://db/shop?user=app&password=s3cret\n'],
    [
      'the password of one of several databases',
      'databases: { shop: { url: "postgres://app:s3cret@db/shop" } }\n',
    ],
    [
      'the password of a replica',
      'database: postgres://db/shop\nreplicas: ["postgres://app:s3cret@copy/shop"]\n',
    ],
    [
      'the password of Redis',
      'database: sqlite:/x.db\nrate_limits: { redis: "redis://:s3cret@cache:6379" }\n',
    ],
    [
      'the password of the change feed',
      'database: postgres://db/shop\nfollow: { url: "postgres://feed:s3cret@db/shop" }\n',
    ],
    [
      'the key of a collector of traces',
      'database: sqlite:/x.db\ntraces: { headers: { X-Key: s3cret } }\n',
    ],
  ])('that holds %s and that every user can read is refused', async (_what, text) => {
    await expect(check(text)).rejects.toThrow('Run: chmod o-r ');
    await expect(check(text, { mode: 0o640 })).resolves.toEqual([]);
  });

  it.each([
    [
      'refers to the environment',
      'database: postgres://app:${PASSWORD}@db/shop\ntoken: ${TOKEN}\n',
    ],
    [
      'has a password as a parameter from there',
      'database: postgres://db/shop?user=app&password=${PASSWORD}\n',
    ],
    [
      'has the password of Redis from there',
      'database: sqlite:/x.db\nrate_limits: { redis: "redis://:${PASSWORD}@cache:6379" }\n',
    ],
    [
      'has the key of a collector of traces from there',
      'database: sqlite:/x.db\ntraces: { headers: { X-Key: "${TOKEN}" } }\n',
    ],
    ['holds no secret', 'database: sqlite:/x.db\n'],
  ])('that %s may be read by everybody', async (_what, text) => {
    expect(await check(text, { env: { PASSWORD: 's3cret', TOKEN: STRONG } })).toEqual([]);
  });
});

describe('a token that can be guessed', () => {
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: 'secret' };

  it('is refused where other machines can reach the service', async () => {
    await expect(check('database: sqlite:/x.db\nhost: 0.0.0.0\n', { env })).rejects.toThrow(
      'token: it can be guessed.',
    );
  });

  it('will do on a loopback address, with a warning that does not repeat it', async () => {
    const [warning] = await check('database: sqlite:/x.db\n', { env });
    expect(warning).toContain('it can be guessed');
    expect(warning).not.toContain('secret');
  });
});
