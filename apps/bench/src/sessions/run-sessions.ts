import { hash } from 'node:crypto';

import { API_PATHS } from '@proj/contract';
import { freePort } from '@proj/test-servers';

import { type Entrant, loadInTurns, ratioText } from '../load/in-turns.ts';
import { Latencies } from '../load/latencies.ts';
import type { Load, LoadResult } from '../load/load.ts';
import { type Child, startChild } from '../processes/child.ts';
import { untilQuiet } from '../processes/quiet.ts';
import { powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { COLUMNS } from '../tables/bench-database.ts';
import { openTables } from '../tables/open-tables.ts';
import type { CallerRouteInput } from './caller-route-process.ts';
import { PAGE_SIZE, type TenantLoad, tenantLoads } from './tenant-loads.ts';
import {
  CALLER_ROLE,
  createTenants,
  everyTenant,
  LOGIN,
  POLICED_TABLES,
  type PolicedTable,
} from './tenants.ts';

const CONNECTIONS = 16;

/** So many requests a connection sends in a turn before it begins anew. */
const BODIES = 500;

/** Where one request alone takes longer, in milliseconds, each connection sends one in a turn. */
const SLOW_MS = 50;

/** So often a page is asked for at most until what it needs is prepared. */
const PROBES = 5;

/** Over what reads as callers are compared. */
export interface SessionsOptions {
  /** How many rows the first tenant has, and the others together. */
  readonly rows: number;
  /** For each of the two in each load, all rounds together. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/** What answers tenants. */
type Subject = Pick<Service, 'origin' | 'pid'>;

/** What tenants ask of a table, of whom, and how long. */
interface Comparison extends Pick<SessionsOptions, 'seconds'> {
  readonly subjects: readonly Subject[];
  readonly table: PolicedTable;
  readonly load: TenantLoad;
  readonly loader: Child;
  /** The process of the database. */
  readonly database: number;
}

/**
 * Lets tenants ask a service whose role has a `database_session`, and a route that one would write
 * by hand, in turns, and prints how the service's rate, median latency and processor time compare.
 */
export async function runSessions({ rows, seconds, print }: SessionsOptions): Promise<void> {
  const database = await openTables('postgres', undefined);
  const loader = await startChild('../load/load-process', import.meta.url, null);
  const url = new URL(database.url);
  url.username = LOGIN;
  const input: CallerRouteInput = { url: url.href, port: await freePort() };
  const route = await startChild('./caller-route-process', import.meta.url, input);
  try {
    await createTenants(database, rows);
    const options = { database: { url: url.href }, tables: [], settings: SETTINGS };
    await withService(options, async (service) => {
      const subjects = [service, { origin: String(route.greeting), pid: route.pid }];
      const common = { subjects, seconds, loader, database: database.pid ?? 0 };
      for (const table of POLICED_TABLES)
        for (const load of tenantLoads(rows)) {
          const ratios = await ratiosOf({ ...common, table, load });
          const label = `${powerOfTen(rows)} rows, ${table.label}, ${load.label}`;
          print(`${label} (rate at least ${load.goal}): ${ratios}`);
        }
    });
  } finally {
    await route.stop();
    await loader.stop();
    await database.close();
  }
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
  tokens: everyTenant().map(({ token, claims }) => {
    return { name: claims.tenant, role: 'tenant', sha256: hash('sha256', token), claims };
  }),
};

const AUTHORIZATIONS = everyTenant().map(({ token }) => `Bearer ${token}`);

/** @throws {Error} when the subjects do not answer alike */
async function ratiosOf(comparison: Comparison): Promise<string> {
  const { subjects, table, load, seconds } = comparison;
  const first = requestOf(table, load, 0);
  const replies = new Set(await Promise.all(subjects.map((subject) => ask(subject, first))));
  if (replies.size > 1) throw new Error(`answered differently: ${[...replies].join(' and ')}`);
  const entrants: Entrant[] = [];
  for (const subject of subjects) entrants.push(await entrantOf(subject, comparison));
  return ratioText(await loadInTurns(entrants, seconds));
}

async function entrantOf(subject: Subject, comparison: Comparison): Promise<Entrant> {
  const { table, load, loader } = comparison;
  const amount = (await isSlow(subject, comparison)) ? CONNECTIONS : undefined;
  const target = {
    url: `${subject.origin}/${API_PATHS.query}`,
    headers: { 'content-type': 'application/json' },
    again: true,
    amount,
  };
  return {
    pid: subject.pid,
    load: async ({ number }, seconds) => {
      const requests = requestsOf(table, load, number);
      const bodies = requests.map((own) => own.map(({ body }) => body));
      const authorizations = requests.map((own) => own.map(({ authorization }) => authorization));
      const asked: Load = { ...target, bodies, authorizations, seconds };
      const { counts, ...outcome } = (await loader.ask(asked)) as LoadResult;
      return { ...outcome, latencies: new Latencies(counts) };
    },
  };
}

/** Whether a request is slow once what it needs has been prepared, such as an index of pages. */
async function isSlow(subject: Subject, { table, load, database }: Comparison): Promise<boolean> {
  for (let probe = 1; probe <= PROBES; probe++) {
    const started = performance.now();
    await ask(subject, requestOf(table, load, probe));
    if (performance.now() - started <= SLOW_MS) return false;
    await untilQuiet([subject.pid, database]);
  }
  return true;
}

/** For each connection what it sends in a turn. */
function requestsOf(table: PolicedTable, load: TenantLoad, turn: number): CallerRequest[][] {
  return Array.from({ length: CONNECTIONS }, (_none, connection) =>
    Array.from({ length: BODIES }, (_other, index) =>
      requestOf(table, load, (turn * BODIES + index) * CONNECTIONS + connection),
    ),
  );
}

interface CallerRequest {
  readonly authorization: string;
  readonly body: string;
}

function requestOf({ name }: PolicedTable, load: TenantLoad, number: number): CallerRequest {
  const { tenant, page } = load.requestAt(number);
  const range = { page, size: PAGE_SIZE };
  return {
    authorization: AUTHORIZATIONS[tenant] ?? '',
    body: JSON.stringify({ query_model: name, query_attributes: COLUMNS, page: range }),
  };
}

/** @throws {Error} when the request is not answered */
async function ask({ origin }: Subject, { authorization, body }: CallerRequest): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization };
  const reply = await fetch(`${origin}/${API_PATHS.query}`, { method: 'POST', headers, body });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`answered with ${reply.status}: ${text.slice(0, 200)}`);
  return text;
}
