import { type TestDatabase, until } from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';

import { type CitusCluster, openCluster } from '../../../postgres/src/cluster/open-cluster.ts';
import { Connector } from '../../../postgres/src/connection/connect.ts';
import { Database } from '../../../postgres/src/connection/database.ts';
import type { Cut } from '../../../postgres/src/connection/distribution.ts';
import { isOtherState, NoCommonStateError } from '../../../postgres/src/connection/errors.ts';
import { readPostgresUrl } from '../../../postgres/src/connection/url.ts';
import { demandState, SERVER_STATE } from '../../../postgres/src/states/cluster-state.ts';
import { SERVER_LIMITS } from '../../../engine/src/sources/pools/pool-limits.ts';
import type { ClusterAccess, LockBounds } from '../../../postgres/src/cluster/cluster-servers.ts';
import { callOf } from '../../../engine/test/call.ts';
import {
  connect,
  type PostgresServer,
  type Twin,
  useOwnPostgres,
  usePostgres,
  useTwin,
} from './server.ts';

/** What a server of Citus knows of itself, on servers without Citus. */
const CATALOGUE = `
  set allow_system_table_mods = on;
  create table pg_catalog.pg_dist_partition
    (logicalrelid regclass, partmethod "char", repmodel "char", colocationid int);
  create table pg_catalog.pg_dist_transaction (groupid int, gid text);
  create table pg_catalog.pg_dist_node
    (nodeid int, groupid int, nodename text, nodeport int, noderole text);
  create table pg_catalog.pg_dist_local_group as select 0 as groupid;
  grant select on pg_catalog.pg_dist_partition, pg_catalog.pg_dist_node to public;
  insert into pg_catalog.pg_dist_node values
    (1, 0, 'coordinator', 5432, 'primary'), (2, 1, 'worker', 5432, 'primary'),
    (3, 1, 'standby', 5432, 'secondary');`;

const ACCOUNTS = `
  create table accounts (id int primary key, amount int not null);
  insert into accounts select n, 100 from generate_series(1, 20) as n;`;

/** How the cluster itself reaches its servers. */
const reachedBy = (other: string): string => `
  create extension dblink;
  create function pg_catalog.run_command_on_all_nodes(command text)
  returns table (nodeid int, success bool, result text) language plpgsql security definer as $body$
  begin
    execute command into result;
    nodeid := 1; success := true; return next;
    select answer into result from dblink('${other}', command) as asked (answer text);
    nodeid := 2; return next;
  end $body$;`;

const RULES = { pooler: 'none', queryTimeoutMs: 10_000 } as const;
const SETTINGS = { max_prepared_transactions: '20' };

/** What both servers have together. */
export const SUM = 4000;

/** What is found of the cluster. */
export const FACTS = {
  tables: '',
  servers: '0 coordinator 5432,1 worker 5432',
  ownGroup: '0',
};

/** No test depends on how fast it is. */
const PATIENT: LockBounds = { starvingMs: 0, snapshotsMs: 20_000, partsOfTime: 1 };

/** Two servers that share accounts. */
export interface PlainCluster<
  Own extends TestDatabase = TestDatabase,
  Other extends TestDatabase = Twin,
> {
  readonly own: () => Own;
  readonly other: () => Other;
  /** What looks for their states, as one service does. */
  readonly open: (service?: Service) => Promise<CitusCluster>;
}

/** How a service looks for states. */
export interface Service {
  /** Default: `auto`. */
  readonly cut?: ClusterAccess['cut'] | undefined;
  /** Default: that of the tests, which is a superuser. */
  readonly role?: string;
  /** Where it reaches the other server. Default: where that is. */
  readonly address?: string;
  /** Default: reads take their time, and writers get none. */
  readonly bounds?: LockBounds;
  /** Whether the test has it learn what was found. Default: it knows {@link FACTS}. */
  readonly learnsLater?: boolean;
}

export function usePlainCluster(): PlainCluster {
  const own = usePostgres(CATALOGUE + ACCOUNTS);
  return useCluster(own, useTwin(own, CATALOGUE + ACCOUNTS, SETTINGS));
}

/** Two servers for tests that stop them. */
export function useOwnPlainCluster(): PlainCluster<PostgresServer, PostgresServer> {
  const options = { settings: SETTINGS, sql: CATALOGUE + ACCOUNTS };
  return useCluster(useOwnPostgres(options), useOwnPostgres(options));
}

function useCluster<Own extends TestDatabase, Other extends TestDatabase>(
  own: () => Own,
  other: () => Other,
): PlainCluster<Own, Other> {
  beforeAll(async () => {
    await own().client(`set allow_system_table_mods = on; ${reachedBy(other().url)}`);
  });
  const opened: CitusCluster[] = [];
  afterAll(() => Promise.all(opened.map((cluster) => cluster.close())));
  const open: PlainCluster<Own, Other>['open'] = async (service = {}) => {
    const { cut = 'auto', role, bounds = PATIENT, learnsLater } = service;
    const address = service.address ?? new URL(other().url).host;
    const url = new URL(own().url);
    if (role !== undefined) url.username = role;
    const database = await Database.open(
      new Connector(readPostgresUrl(url.href), RULES),
      SERVER_LIMITS,
    );
    const cluster = openCluster(database, {
      url: url.href,
      cut,
      addresses: { 'worker:5432': address },
      sessionRules: RULES,
      limits: SERVER_LIMITS,
      bounds,
    });
    opened.push(cluster);
    if (learnsLater !== true) expect(await cluster.learn(FACTS)).toBeUndefined();
    return cluster;
  };
  return { own, other, open };
}

/** Clients of both servers, for the tests of a group. */
export function useClients({ own, other }: PlainCluster): () => readonly Client[] {
  const clients: Client[] = [];
  beforeAll(async () => {
    for (const { url } of [own(), other()]) {
      clients.push(await connect(url));
    }
  });
  return () => clients;
}

/**
 * Takes a snapshot of each server in transactions that stay open, as reads of several servers do.
 *
 * @throws {NoCommonStateError} where they are not of the states of the cut
 */
async function takeSnapshots(clients: readonly Client[], cut: Cut): Promise<void> {
  const [own, ...others] = clients;
  try {
    for (const client of clients)
      await client.query('begin isolation level repeatable read read only');
    const found = await own?.query<{ state: string }>(`select ${SERVER_STATE} as state`);
    for (const other of others)
      await other.query(`select 1 from accounts where ${demandState(cut.states)} limit 1`);
    await cut.confirm(found?.rows[0]?.state);
  } catch (error) {
    const reason = isOtherState(error) ? new NoCommonStateError('It is another one.') : error;
    cut.leave(reason);
    throw reason;
  }
}

/** As {@link takeSnapshots}, and ends the transactions. */
export async function confirm(clients: readonly Client[], cut: Cut): Promise<void> {
  try {
    await takeSnapshots(clients, cut);
  } finally {
    for (const client of clients) await client.query('rollback');
  }
}

/** The sum of both servers in one snapshot of each; undefined where they had no common state. */
export async function sumIn(
  clients: readonly Client[],
  cluster: CitusCluster | undefined,
): Promise<number | undefined> {
  let sum: number | undefined = 0;
  try {
    const cut = await cluster?.lookForCut(callOf());
    if (cut === undefined)
      for (const client of clients) {
        await client.query('begin isolation level repeatable read read only');
        await client.query('select 1 from accounts limit 1');
      }
    else await takeSnapshots(clients, cut);
    for (const client of clients) {
      const { rows } = await client.query<{ sum: string }>('select sum(amount) from accounts');
      sum += Number(rows[0]?.sum);
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'NoCommonStateError' });
    sum = undefined;
  }
  for (const client of clients) await client.query('rollback');
  return sum;
}

/**
 * Moves amounts from one server to another in two phases, as Citus does.
 *
 * @param reads how often both were read: the next one is waited for after each move. Default:
 *   amounts are moved without a pause
 */
export function moveAmounts(
  { own, other }: PlainCluster,
  reads?: () => number,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const moving = move([own().url, other().url], { signal: stopping.signal, reads });
  return {
    stop: async () => {
      stopping.abort();
      await moving;
    },
  };
}

async function move(
  urls: readonly [own: string, other: string],
  { signal, reads }: { readonly signal: AbortSignal; readonly reads: (() => number) | undefined },
): Promise<void> {
  const [own, other] = urls.map((url) => new Client({ connectionString: url }));
  if (own === undefined || other === undefined) return;
  for (const client of [own, other]) await client.connect();
  for (let turn = 0; !signal.aborted; turn++) {
    const [here, there] = turn % 2 === 0 ? ['-', '+'] : ['+', '-'];
    const id = (turn % 20) + 1;
    await own.query(`begin; update accounts set amount = amount ${here} 1 where id = ${id}`);
    await other.query(`begin; update accounts set amount = amount ${there} 1 where id = ${id}`);
    // What is prepared was recorded before, and is committed once the record is.
    const name = `citus_0_0_${turn}_0`;
    await own.query(`insert into pg_dist_transaction values (1, '${name}')`);
    await other.query(`prepare transaction '${name}'`);
    await own.query('commit');
    await other.query(`commit prepared '${name}'`);
    const before = reads?.() ?? 0;
    await until(() => signal.aborted || reads === undefined || reads() > before);
  }
  for (const client of [own, other]) await client.end();
}
