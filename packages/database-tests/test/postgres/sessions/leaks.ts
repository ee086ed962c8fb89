import { type Engine, Grant, openEngine, QueryFailedError } from '@proj/engine';
import { SEED, type TestDatabase } from '@proj/test-servers';
import { Pool } from 'pg';

import { DATABASE_KINDS } from '../../kinds.ts';
import { exported } from '../../exported.ts';
import { bodyOf } from '../../open.ts';
import { leavingSoon } from '../../truth/leaving.ts';
import { Random } from '../../truth/random.ts';
import { type Sabotage, startSabotage } from './sabotage-proxy.ts';
import type { UnbegunAnswers } from './unbegun-answers.ts';
import { ROWS, TENANT_SESSIONS, tenantGrant, TENANTS, TENANTS_SQL } from './tenants.ts';

/** Policies that leave behind what they can, and a login to which every row is shown. */
export const LEAKS_SQL = `${TENANTS_SQL}
create schema evil;
create function evil.current_setting(text, boolean) returns text language sql as $$ select 't0' $$;
grant usage on schema evil to tenant, login;
create function poison() returns boolean language plpgsql as $$
begin
  perform set_config('app.tenant', 't0', false), set_config('app.member', 'm0', false),
    set_config('search_path', 'evil, pg_catalog, public', false),
    set_config('dynamic_query.caller', 'x', false), set_config('row_security', 'off', false);
  return false;
end $$;
create table poisoned (id int primary key);
insert into poisoned values (1), (2);
alter table poisoned enable row level security;
create policy poison on poisoned to tenant using (poison());
create function unpinned() returns text stable language plpgsql as
  $$ begin return current_setting('app.tenant', true); end $$;
create table named (id int primary key, tenant text not null);
insert into named select id, tenant from orders;
alter table named enable row level security;
create policy named on named to tenant using (tenant = unpinned());
grant select on poisoned, named to tenant;
create role rich login noinherit bypassrls;
grant tenant to rich;
grant select on all tables in schema public to rich;`;

/** What was answered, and to whom it should not have been. */
export interface Leaks {
  /** How many replies were delivered. */
  replies: number;
  /** How many of them have what another tenant may see. */
  foreign: number;
  /** How many requests failed, by the code of their problem. */
  readonly failed: Map<string, number>;
  /** How the server answered reads whose beginning never reached it. */
  readonly unbegun: Readonly<UnbegunAnswers>;
}

const random = new Random(SEED);

/** How callers ask. */
export interface LeakTrial {
  /** The URL of the server or a pooler before it, for the login. */
  readonly url: string;
  readonly server: TestDatabase;
  readonly replies: number;
  readonly sabotage?: Sabotage;
  /** Whether sessions and statements are ended meanwhile, and callers disconnect. */
  readonly isUnsteady?: boolean;
}

/** All that may happen to a read. */
export const TROUBLE: Sabotage = { lostBegins: 0.02, broken: 0.005 };

/** So many callers ask at once; each is a tenant. */
const CALLERS = TENANTS;

/** So many requests for each reply fail in one way at most, or nothing would ever be answered. */
const MOST_FAILURES = 50;

/** One process of so many has four connections for pages. */
const PROCESSES = 3;

/** Lets callers ask until so many replies were delivered, and counts those that are not theirs. */
export async function countLeaks(trial: LeakTrial): Promise<Leaks> {
  const { sabotage = { lostBegins: 0 } } = trial;
  const url = new URL(trial.url);
  const proxy = await startSabotage(Number(url.port), sabotage);
  url.port = String(proxy.port);
  const engine = await openEngine({
    ...TENANT_SESSIONS,
    database: url.href,
    kinds: DATABASE_KINDS,
    queryTimeoutMs: 10_000,
    expose: 'all',
    models: {},
    maxPageSize: 1000,
    processes: PROCESSES,
  });
  proxy.begin();
  const leaks: Leaks = { replies: 0, foreign: 0, failed: new Map(), unbegun: proxy.unbegun };
  const admin = new Pool({ connectionString: trial.server.url, max: 1 });
  try {
    const callers = Array.from({ length: CALLERS }, (_, tenant) => {
      return askUntil(engine, { tenant, leaks, trial, admin });
    });
    await Promise.all(callers);
  } finally {
    await admin.end();
    await engine.close();
    await proxy.close();
  }
  return leaks;
}

/** A caller who asks, and what becomes of it. */
interface Asking {
  readonly tenant: number;
  readonly leaks: Leaks;
  readonly trial: LeakTrial;
  /** A connection of one who may end others'. */
  readonly admin: Pool;
}

async function askUntil(engine: Engine, { tenant, leaks, trial, admin }: Asking): Promise<void> {
  while (leaks.replies < trial.replies) {
    const kind = random.pick(KINDS);
    const leaves = trial.isUnsteady === true && random.chance(0.2);
    const signal = leaves ? leavingSoon(random) : undefined;
    const trouble = trial.isUnsteady === true ? makeTrouble(admin) : undefined;
    try {
      const [isOwn] = await Promise.all([kind(engine, tenant, signal), trouble]);
      leaks.replies += 1;
      if (!isOwn) leaks.foreign += 1;
    } catch (error) {
      const code = codeOf(error);
      const times = (leaks.failed.get(code) ?? 0) + 1;
      leaks.failed.set(code, times);
      if (times > MOST_FAILURES * trial.replies)
        throw new Error(`${times} requests failed with ${code}.`, { cause: error });
    }
  }
}

/** The code of a problem, or what else went wrong, such as the lines of an export and their number. */
function codeOf(error: unknown): string {
  return error instanceof QueryFailedError ? error.code : String(error);
}

/** Asks, and says whether all that was answered is the tenant's. */
type Kind = (engine: Engine, tenant: number, signal?: AbortSignal) => Promise<boolean>;

const MODELS = ['orders', 'shared', 'named'] as const;

const KINDS: readonly [Kind, ...Kind[]] = [
  askPage,
  askPage,
  askPage,
  askFacets,
  askGroups,
  askExport,
  askPoison,
  askNul,
];

function anyModel(): string {
  return random.pick(MODELS);
}

async function askPage(engine: Engine, tenant: number, signal?: AbortSignal): Promise<boolean> {
  const page = random.integer(1, 5);
  const body = bodyOf({ model: anyModel(), attributes: ['tenant'], page });
  const { result, page: found } = await engine.query(body, tenantGrant(tenant), { signal });
  return isOf(tenant, JSON.parse(result)) && found.total === String(ROWS);
}

async function askFacets(engine: Engine, tenant: number, signal?: AbortSignal): Promise<boolean> {
  const body = { query_model: anyModel(), query_facets: [{ attribute: 'tenant', values: 20 }] };
  const { json } = await engine.facets(body, tenantGrant(tenant), { signal });
  const [facet] = (JSON.parse(json) as { facets: { values: { value: unknown }[] }[] }).facets;
  return facet?.values.every(({ value }) => value === `t${tenant}`) === true;
}

async function askGroups(engine: Engine, tenant: number, signal?: AbortSignal): Promise<boolean> {
  const body = {
    ...Object(bodyOf({ model: anyModel(), attributes: ['tenant'] })),
    query_groups: [{ attribute: 'tenant' }],
  };
  const { result } = await engine.query(body, tenantGrant(tenant), { signal });
  return isOf(tenant, JSON.parse(result));
}

async function askExport(engine: Engine, tenant: number, signal?: AbortSignal): Promise<boolean> {
  const question = { model: anyModel(), attributes: ['tenant'] };
  const terms = { grant: tenantGrant(tenant), ...(signal && { signal }) };
  const { records } = await exported(engine, question, terms);
  return isOf(tenant, records) && records.length === ROWS;
}

async function askPoison(engine: Engine, tenant: number, signal?: AbortSignal): Promise<boolean> {
  const body = bodyOf({ model: 'poisoned', attributes: ['id'] });
  const { result } = await engine.query(body, tenantGrant(tenant), { signal });
  return result === '[]';
}

/** The service refuses such a claim before it comes so far. */
async function askNul(engine: Engine, _tenant: number, signal?: AbortSignal): Promise<boolean> {
  const settings = { 'app.member': 'm\0', 'app.tenant': 't\0' };
  const grant = new Grant('all', { role: 'tenant', settings, trusts: [] });
  const body = bodyOf({ model: anyModel(), attributes: ['tenant'] });
  const { result } = await engine.query(body, grant, { signal });
  return result === '[]';
}

function isOf(tenant: number, records: readonly unknown[]): boolean {
  return records.every((record) => Object(record).tenant === `t${tenant}`);
}

/** Cancels a statement or, now and then, ends a session, while somebody asks. */
async function makeTrouble(admin: Pool): Promise<void> {
  const ending = random.chance(0.05) ? 'pg_terminate_backend' : 'pg_cancel_backend';
  await admin.query(
    `select ${ending}(pid) from pg_stat_activity
      where usename in ('login', 'rich') order by state = 'active' desc, random() limit 1`,
  );
}
