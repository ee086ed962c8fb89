import { type PgBouncer, startPgBouncer } from '@proj/test-servers';
import { afterAll, expect, it } from 'vitest';

import { describePgBouncer } from '../pgbouncer.ts';
import { describePostgres, urlOf, usePostgres } from '../server.ts';
import { countLeaks, LEAKS_SQL } from './leaks.ts';

/** So many replies are looked at of each kind of connection. */
const REPLIES = Number(process.env['LEAK_REPLIES'] ?? 200);

const TIMEOUT = 60_000 + REPLIES * 100;

/** All that may happen to a read. */
const TROUBLE = { lostBegins: 0.02, broken: 0.005 };

describePostgres('of the rows of several tenants', () => {
  const postgres = usePostgres({ settings: { log_statement: 'none' }, sql: LEAKS_SQL });

  it.each(['login', 'rich'])(
    'none is shown to another one, whatever happens, to a service that is %s',
    async (login) => {
      const url = urlOf(postgres(), login);
      const trial = { url, server: postgres(), replies: REPLIES, isUnsteady: true };
      const leaks = await countLeaks({ ...trial, sabotage: TROUBLE });
      expect(leaks).toMatchObject({ foreign: 0 });
      expect(leaks.replies).toBeGreaterThanOrEqual(REPLIES);
    },
    TIMEOUT,
  );

  const LOST = { lostBegins: 0.3 };

  it.each([
    {
      wall: 'nothing of a read that did not begin is delivered',
      login: 'rich',
      sabotage: { ...LOST, blindsStatements: true },
    },
    {
      wall: 'statements find out that they are not part of their read',
      login: 'rich',
      sabotage: { ...LOST, claimsToHaveBegun: true },
    },
    {
      wall: 'the login has no rights',
      login: 'login',
      sabotage: { ...LOST, claimsToHaveBegun: true, blindsStatements: true },
    },
  ])(
    'none is shown to another one where only this is left: $wall',
    async ({ login, sabotage }) => {
      const url = urlOf(postgres(), login);
      const leaks = await countLeaks({ url, server: postgres(), replies: REPLIES / 4, sabotage });
      expect(leaks).toMatchObject({ foreign: 0 });
    },
    TIMEOUT,
  );

  it(
    'many are shown to others where nothing is left of what prevents it',
    async () => {
      const sabotage = { ...LOST, claimsToHaveBegun: true, blindsStatements: true };
      const url = urlOf(postgres(), 'rich');
      const leaks = await countLeaks({ url, server: postgres(), replies: REPLIES / 4, sabotage });
      expect(leaks.foreign).toBeGreaterThan(0);
    },
    TIMEOUT,
  );
});

const poolers: PgBouncer[] = [];
afterAll(() => Promise.all(poolers.map((pooler) => pooler.stop())));

describePgBouncer('of the rows of several tenants behind PgBouncer', () => {
  const postgres = usePostgres({ settings: { log_statement: 'none' }, sql: LEAKS_SQL });

  it.each([
    { mode: 'session', default_pool_size: '20' },
    { mode: 'transaction', default_pool_size: '4' },
  ] as const)(
    'none is shown to another one, whatever happens, in $mode mode',
    async ({ mode, default_pool_size }) => {
      const settings = { default_pool_size, server_login_retry: '0' };
      const server = urlOf(postgres(), 'rich');
      const pooler = await startPgBouncer({ server, mode, settings });
      poolers.push(pooler);
      const trial = { url: pooler.url, server: postgres(), isUnsteady: true };
      const leaks = await countLeaks({ ...trial, replies: REPLIES, sabotage: TROUBLE });
      expect(leaks).toMatchObject({ foreign: 0 });
    },
    TIMEOUT,
  );
});
