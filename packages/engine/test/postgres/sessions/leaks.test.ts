import { type PgBouncer, startPgBouncer } from '@proj/test-servers';
import { afterAll, describe, expect, it } from 'vitest';

import { describePgBouncer } from '../pgbouncer.ts';
import { urlOf, useOwnPostgres } from '../server.ts';
import { countLeaks, type Leaks, LEAKS_SQL } from './leaks.ts';
import type { UnbegunAnswers } from './unbegun-answers.ts';

/** So many replies are looked at of each kind of connection. */
const ASKED = process.env['LEAK_REPLIES'];
const REPLIES = Number(ASKED ?? 200);

const TIMEOUT = 60_000 + REPLIES * 100;

/**
 * What keeps rows from other tenants: a login that has no rights of its own, that nothing is
 * delivered of a read that did not begin, and that each statement finds out whether it is part of
 * its read.
 */
type Wall = 'the login' | 'delivery' | 'the statement';

/** The walls that are taken away, and the first one of the others that a read comes to. */
const GONE: readonly { readonly gone: readonly Wall[]; readonly caught: Wall }[] = [
  { gone: ['the login'], caught: 'the statement' },
  { gone: ['delivery'], caught: 'the login' },
  { gone: ['the statement'], caught: 'the login' },
  { gone: ['the login', 'delivery'], caught: 'the statement' },
  { gone: ['the login', 'the statement'], caught: 'delivery' },
  { gone: ['delivery', 'the statement'], caught: 'the login' },
];

/** The walls that reads came to which did not begin. */
function caughtBy({ denied, unrecognized, shown }: UnbegunAnswers): Wall[] {
  return [
    ...(denied > 0 ? (['the login'] as const) : []),
    ...(unrecognized > 0 ? (['the statement'] as const) : []),
    ...(shown > 0 ? (['delivery'] as const) : []),
  ];
}

/** Prints the figures of a run that is longer than the ordinary one. */
function report(figures: Leaks & Readonly<Record<string, unknown>>): void {
  if (ASKED !== undefined) console.info(figures);
}

/** All that may happen to a read. */
const TROUBLE = { lostBegins: 0.02, broken: 0.005 };

describe('of the rows of several tenants', () => {
  const postgres = useOwnPostgres({ settings: { log_statement: 'none' }, sql: LEAKS_SQL });

  it.each(['login', 'rich'])(
    'none is shown to another one, whatever happens, to a service that is %s',
    async (login) => {
      const url = urlOf(postgres(), login);
      const trial = { url, server: postgres(), replies: REPLIES, isUnsteady: true };
      const leaks = await countLeaks({ ...trial, sabotage: TROUBLE });
      report({ login, ...leaks });
      expect(leaks).toMatchObject({ foreign: 0 });
      expect(leaks.replies).toBeGreaterThanOrEqual(REPLIES);
    },
    TIMEOUT,
  );

  /** Lets reads not begin where walls are taken away. */
  async function leaksWithout(gone: readonly Wall[]): Promise<Leaks> {
    const url = urlOf(postgres(), gone.includes('the login') ? 'rich' : 'login');
    const sabotage = {
      lostBegins: 0.3,
      claimsToHaveBegun: gone.includes('delivery'),
      blindsStatements: gone.includes('the statement'),
    };
    const leaks = await countLeaks({ url, server: postgres(), replies: REPLIES / 4, sabotage });
    report({ gone, ...leaks });
    return leaks;
  }

  it.each(GONE)(
    'none is shown to another one without $gone: $caught catches reads that do not begin',
    async ({ gone, caught }) => {
      const { unbegun, foreign } = await leaksWithout(gone);
      expect(caughtBy(unbegun)).toEqual([caught]);
      expect(foreign).toBe(0);
    },
    TIMEOUT,
  );

  it(
    'many are shown to others where nothing is left of what prevents it',
    async () => {
      const { unbegun, foreign } = await leaksWithout(['the login', 'delivery', 'the statement']);
      expect(unbegun).toMatchObject({ denied: 0, unrecognized: 0 });
      expect(foreign).toBeGreaterThan(0);
    },
    TIMEOUT,
  );
});

const poolers: PgBouncer[] = [];
afterAll(() => Promise.all(poolers.map((pooler) => pooler.stop())));

describePgBouncer('of the rows of several tenants behind PgBouncer', () => {
  const postgres = useOwnPostgres({ settings: { log_statement: 'none' }, sql: LEAKS_SQL });

  it.each([
    { mode: 'session', default_pool_size: '20' },
    { mode: 'transaction', default_pool_size: '4' },
  ] as const)(
    'none is shown to another one, whatever happens, in $mode mode',
    async ({ mode, default_pool_size }) => {
      const settings = { default_pool_size, server_login_retry: '0' };
      const server = urlOf(postgres(), 'rich');
      // PgBouncer 1.18 ends by itself now and then where a cancelled client leaves.
      const pooler = await startPgBouncer({ server, mode, settings, restarts: true });
      poolers.push(pooler);
      const trial = { url: pooler.url, server: postgres(), isUnsteady: true };
      const leaks = await countLeaks({ ...trial, replies: REPLIES, sabotage: TROUBLE });
      report({ mode, ...leaks, ended: pooler.log().match(/FATAL @.*/g) });
      expect(leaks).toMatchObject({ foreign: 0 });
    },
    TIMEOUT,
  );
});
