import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { CitusCluster } from '../../src/sources/postgres/cluster/citus-cluster.ts';
import { clusterAccess } from '../../src/sources/postgres/cluster/cluster-access.ts';
import { Connector } from '../../src/sources/postgres/connection/connect.ts';
import { Database } from '../../src/sources/postgres/connection/database.ts';
import { readPostgresUrl } from '../../src/sources/postgres/connection/url.ts';
import { SERVER_LIMITS } from '../../src/sources/pools/pool-limits.ts';
import { callOf } from '../call.ts';
import { describePostgres, usePostgres } from './server.ts';

/** What a server of Citus knows of itself, on servers without Citus. */
const CATALOGUE = `
  set allow_system_table_mods = on;
  create table pg_catalog.pg_dist_partition
    (logicalrelid regclass, partmethod "char", repmodel "char", colocationid int);
  create table pg_catalog.pg_dist_node
    (nodeid int, groupid int, nodename text, nodeport int, noderole text);`;

const ACCOUNTS = `
  create table accounts (id int primary key, amount int not null);
  insert into accounts select n, 100 from generate_series(1, 20) as n;`;

const RULES = { pooler: 'none', queryTimeoutMs: 10_000 } as const;
const SETTINGS = { max_prepared_transactions: '20' };

/** So often two servers are read together. */
const READS = 300;

describePostgres('a state that several servers have in common', () => {
  const own = usePostgres({ settings: SETTINGS, sql: CATALOGUE + ACCOUNTS });
  const other = usePostgres({ settings: SETTINGS, sql: ACCOUNTS });
  let cluster: CitusCluster;

  beforeAll(async () => {
    const connector = new Connector(readPostgresUrl(own().url), RULES);
    const database = await Database.open(connector, SERVER_LIMITS);
    const access = clusterAccess(own().url, {
      settings: { addresses: { 'worker:5432': new URL(other().url).host } },
      sessionRules: RULES,
      limits: SERVER_LIMITS,
    });
    cluster = new CitusCluster(database, access ?? expect.unreachable());
    await own().client(`insert into pg_catalog.pg_dist_node values
      (1, 0, 'coordinator', 5432, 'primary'), (2, 1, 'worker', 5432, 'primary'),
      (3, 1, 'standby', 5432, 'secondary')`);
    const servers = '0 coordinator 5432,1 worker 5432';
    await cluster.learn({ tables: '', servers, ownGroup: '0' });
  });
  afterAll(() => cluster.close());

  const MOVED = { name: 'NoCommonStateError' };

  it('is one that neither has left while it was looked for', async () => {
    const cut = await cluster.lookForCut(callOf());
    await expect(cut.confirm()).resolves.toBeUndefined();
  });

  it.each([
    ['the server that is read', own],
    ['another server', other],
  ])('is not one after a commit on %s', async (_which, server) => {
    const cut = await cluster.lookForCut(callOf());
    await server().client('update accounts set amount = amount where id = 1');
    await expect(cut.confirm()).rejects.toMatchObject(MOVED);
  });

  it('is not one while a server has prepared what another may have committed', async () => {
    await other().client(`begin; update accounts set amount = amount where id = 1;
      prepare transaction 'citus_0_1_2_3'`);
    const cut = await cluster.lookForCut(callOf());
    await expect(cut.confirm()).rejects.toMatchObject(MOVED);
    await other().client(`commit prepared 'citus_0_1_2_3'`);
    await (await cluster.lookForCut(callOf())).confirm();
  });

  it('is not looked for among other servers than those that were found', async () => {
    await own().client(`update pg_catalog.pg_dist_node set nodeport = 5433 where groupid = 1`);
    await expect(cluster.lookForCut(callOf())).rejects.toMatchObject({ code: 'schema_changed' });
    await own().client(`update pg_catalog.pg_dist_node set nodeport = 5432 where groupid = 1`);
  });

  it('names the server that does not answer', async () => {
    const servers = '0 coordinator 5432,2 127.0.0.1 1';
    const problem = await cluster.learn({ tables: '', servers, ownGroup: '0' });
    expect(problem).toMatch(
      /^Its server 127\.0\.0\.1:1 cannot be read \(cluster\.addresses\): .+\.$/,
    );
    const both = '0 coordinator 5432,1 worker 5432';
    expect(await cluster.learn({ tables: '', servers: both, ownGroup: '0' })).toBeUndefined();
  });

  it.each([
    ['holds each amount once, whatever is moved between the servers', true],
    ['is missed where nobody looks, so that amounts are met twice or not at all', false],
  ])('%s', async (_title, looks) => {
    const clients = [own(), other()].map(({ url }) => new Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    const moving = moveAmounts([own().url, other().url]);
    const sums: number[] = [];
    for (let read = 0; read < READS; read++) {
      const sum = await sumIn(clients, looks ? cluster : undefined);
      if (sum !== undefined) sums.push(sum);
    }
    await moving.stop();
    await Promise.all(clients.map((client) => client.end()));
    expect(sums.length).toBeGreaterThan(0);
    expect(new Set(sums).size === 1 && sums[0] === 4000).toBe(looks);
  });
});

/** The sum of both servers in one snapshot of each; undefined where they had no common state. */
async function sumIn(
  clients: readonly Client[],
  cluster: CitusCluster | undefined,
): Promise<number | undefined> {
  const cut = await cluster?.lookForCut(callOf());
  let sum: number | undefined = 0;
  for (const client of clients) {
    await client.query('begin isolation level repeatable read read only');
    await client.query('select 1 from accounts limit 1');
  }
  try {
    await cut?.confirm();
    for (const client of clients) {
      const { rows } = await client.query<{ sum: string }>('select sum(amount) from accounts');
      sum += Number(rows[0]?.sum);
    }
  } catch {
    sum = undefined;
  }
  for (const client of clients) await client.query('rollback');
  return sum;
}

/** Moves amounts from one server to another in two phases, as Citus does. */
function moveAmounts(urls: readonly string[]): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const moving = move(urls, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await moving;
    },
  };
}

async function move(urls: readonly string[], signal: AbortSignal): Promise<void> {
  const clients = urls.map((url) => new Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  for (let turn = 0; !signal.aborted; turn++) {
    const changes = turn % 2 === 0 ? ['-', '+'] : ['+', '-'];
    for (const [index, client] of clients.entries())
      await client.query(`begin; update accounts set amount = amount ${changes[index]} 1
        where id = ${(turn % 20) + 1}; prepare transaction 'citus_0_0_${turn}_${index}'`);
    for (const [index, client] of clients.entries())
      await client.query(`commit prepared 'citus_0_0_${turn}_${index}'`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const client of clients) await client.end();
}
