import { hash } from 'node:crypto';

import type { Comparison } from '../comparison.ts';
import { withDatabase } from '../databases/open.ts';
import { powerOfTen } from '../scenarios.ts';
import { checkAlike } from '../subjects/pages.ts';
import { askAt, comparedRequests } from '../subjects/requests.ts';
import { startRoute } from '../subjects/route.ts';
import { whileRunning } from '../subjects/server.ts';
import { withService } from '../subjects/service.ts';
import { tenantLoads } from './tenant-loads.ts';
import { CALLER_ROLE, createTenants, LOGIN, POLICED_TABLES, TENANTS } from './tenants.ts';

const CONNECTIONS = 16;

/**
 * Lets tenants ask a service whose role has a `database_session`, and a route that one would write
 * by hand, in turns, and prints how the service's rate, median latency and processor time compare.
 */
export async function runSessions({
  rows,
  seconds,
  print,
}: Comparison<'rows' | 'seconds'>): Promise<void> {
  await withDatabase('postgres', async (database) => {
    await createTenants(database, rows);
    const login = new URL(database.url);
    login.username = LOGIN;
    const url = login.href;
    const terms = { seconds, connections: CONNECTIONS, database: database.pid };
    await whileRunning(startRoute({ kind: 'caller', database: 'postgres', url }), (route) =>
      withService({ database: { url }, tables: [], settings: SETTINGS }, async (service) => {
        for (const table of POLICED_TABLES)
          for (const { label, goal, request } of tenantLoads(table.name, rows)) {
            const replies = [askAt(service, request, 0), askAt(route, request, 0)];
            checkAlike((await Promise.all(replies)).map(({ text }) => text));
            const asked = [[service, request] as const, [route, request] as const];
            const ratios = await comparedRequests(asked, terms);
            const read = `${powerOfTen(rows)} rows, ${table.label}, ${label}`;
            print(`${read} (rate at least ${goal}): ${ratios}`);
          }
      }),
    );
  });
}

const SETTINGS = {
  expose: 'all',
  models: {},
  roles: {
    tenant: {
      models: 'all',
      database_session: {
        role: CALLER_ROLE,
        settings: { 'app.tenant': '$claims.tenant', 'request.jwt.claims': '$claims' },
        trusts: ['auth.uid()'],
      },
    },
  },
  tokens: TENANTS.map(({ token, claims }) => {
    return { name: claims.tenant, role: 'tenant', sha256: hash('sha256', token), claims };
  }),
};
