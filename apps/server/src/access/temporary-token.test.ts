import { SettingsError } from '@proj/engine';
import { expect, it } from 'vitest';

import type { Settings } from '../settings/schema.ts';
import { temporaryTokenFor } from './temporary-token.ts';

const EXAMPLE = { name: 'ann', role: 'reader', sha256: '', claims: {} };

/** What the settings say of tokens: nothing, but for what the test gives. */
function tokenFor(given: object): string | undefined {
  const settings = { host: '127.0.0.1', token: undefined, tokens: [], jwt: [], ...given };
  return temporaryTokenFor(settings as unknown as Settings);
}

it('a service on a loopback address without tokens gets one for trying it out', () => {
  expect(tokenFor({})).toMatch(/^dq_[\w-]{43}$/);
});

it.each([{ token: 'secret' }, { tokens: [EXAMPLE] }, { jwt: [{}] }])(
  'a service gets no temporary token where the settings have %j',
  (given) => {
    expect(tokenFor(given)).toBeUndefined();
    expect(tokenFor({ ...given, host: '0.0.0.0' })).toBeUndefined();
  },
);

it('a service that other machines can reach does not start without a token', () => {
  expect(() => tokenFor({ host: '0.0.0.0' })).toThrow(
    new SettingsError(
      'host: 0.0.0.0 can be reached from other machines, and no token is set. ' +
        'Set DYNAMIC_QUERY_ADMIN_TOKEN, or listen on 127.0.0.1.',
    ),
  );
});
