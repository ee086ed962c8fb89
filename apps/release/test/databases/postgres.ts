import { startPostgres } from '@proj/test-servers';
import { Client, type QueryResult } from 'pg';

import { childrenOf, freeze } from '../support/processes.ts';
import { type FaultDatabase, fillings, ITEMS } from './fault-database.ts';
import { onlyOnce } from '../support/only-once.ts';
import { takeAll } from './take-all.ts';

const SLOW =
  'create view slow as select items.id, items.name from items cross ' +
  'join (select pg_sleep(60)) as nap';

const OTHERS = `backend_type in ('client backend', 'walsender') and pid <> pg_backend_pid()`;

/** Starts PostgreSQL with the tables of the suite. */
export async function openPostgres(): Promise<FaultDatabase> {
  const server = await startPostgres({
    settings: { log_statement: 'none', autovacuum: 'off', wal_level: 'logical' },
  });
  const connect = async (): Promise<Client> => connectTo(server.url);
  const run: Run = async (sql) => runOn(await connect(), sql);
  for (const statement of [...ITEMS, ...fillings(), SLOW]) await run(statement);
  return {
    name: 'postgres',
    url: server.url,
    run,
    rows: async (sql) => (await run(sql)).rows,
    halt: async () => server.halt(),
    restart: async () => server.restart(),
    lock: async () => {
      const client = await connect();
      await client.query('begin');
      await client.query('lock table items in access exclusive mode');
      return onlyOnce(async () => client.end());
    },
    freeze: async () => freeze([server.pid, ...childrenOf(server.pid)]),
    takeEveryConnection: async () => takeAll(connect, async (client) => client.end()),
    breakConnections: async () =>
      void (await run(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS}`)),
    close: async () => server.stop(),
  };
}

type Run = (sql: string) => Promise<QueryResult>;

async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function runOn(client: Client, sql: string): Promise<QueryResult> {
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
