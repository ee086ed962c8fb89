import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { urlOf, usePostgres } from '../server.ts';
import { countLeaks, type Leaks, LEAKS_SQL, TROUBLE } from './leaks.ts';
import type { UnbegunAnswers } from './unbegun-answers.ts';

/** So many replies are looked at of each kind of connection. */
const ASKED = process.env['LEAK_REPLIES'];
const REPLIES = Number(ASKED ?? (beforeRelease ? 200 : 40));

/** Enough that some of the reads certainly do not begin. */
const BESIDE_WALLS = Math.max(50, REPLIES / 4);

/** Runs of one's own take as long as they take. */
const LIMIT = ASKED === undefined ? {} : { timeout: 0 };

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

const postgres = usePostgres(LEAKS_SQL);

/** Lets reads not begin where walls are taken away. */
async function leaksWithout(gone: readonly Wall[]): Promise<Leaks> {
  const url = urlOf(postgres(), gone.includes('the login') ? 'rich' : 'login');
  const sabotage = {
    lostBegins: 0.3,
    claimsToHaveBegun: gone.includes('delivery'),
    blindsStatements: gone.includes('the statement'),
  };
  const leaks = await countLeaks({ url, server: postgres(), replies: BESIDE_WALLS, sabotage });
  report({ gone, ...leaks });
  return leaks;
}

describe(`of the rows of several tenants (seed ${SEED})`, LIMIT, () => {
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
  );

  it.each(eachNth(3, GONE))(
    'none is shown to another one without $gone: $caught catches reads that do not begin',
    async ({ gone, caught }) => {
      const { unbegun, foreign } = await leaksWithout(gone);
      expect(caughtBy(unbegun)).toEqual([caught]);
      expect(foreign).toBe(0);
    },
  );

  it('many are shown to others where nothing is left of what prevents it', async () => {
    const { unbegun, foreign } = await leaksWithout(['the login', 'delivery', 'the statement']);
    expect(unbegun).toMatchObject({ denied: 0, unrecognized: 0 });
    expect(foreign).toBeGreaterThan(0);
  });
});
