import { SEED } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { describePgBouncer, startPooler } from '../pgbouncer.ts';
import { urlOf, usePostgres } from '../server.ts';
import { countLeaks, LEAKS_SQL, TROUBLE } from './leaks.ts';

const REPLIES = Number(process.env['LEAK_REPLIES'] ?? 200);

// PgBouncer 1.18 ends by itself now and then where a cancelled client leaves.
describePgBouncer(`of the rows of several tenants behind PgBouncer (seed ${SEED})`, () => {
  const postgres = usePostgres(LEAKS_SQL);

  it.each([
    { mode: 'session', default_pool_size: '20' },
    { mode: 'transaction', default_pool_size: '4' },
  ] as const)(
    'none is shown to another one, whatever happens, in $mode mode',
    async ({ mode, default_pool_size }) => {
      const settings = { default_pool_size, server_login_retry: '0' };
      const server = urlOf(postgres(), 'rich');
      const url = await startPooler({ server, mode, settings, restarts: true });
      const trial = { url, server: postgres(), isUnsteady: true };
      const leaks = await countLeaks({ ...trial, replies: REPLIES, sabotage: TROUBLE });
      expect(leaks).toMatchObject({ foreign: 0 });
    },
  );
});
