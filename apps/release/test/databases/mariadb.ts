import { startMariadb } from '@proj/test-servers';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { freeze } from '../support/processes.ts';
import { type FaultDatabase, fillings, ITEMS } from './fault-database.ts';
import { onlyOnce } from '../support/only-once.ts';
import { takeAll } from './take-all.ts';

const SLOW = 'create view slow as select id, name from items where sleep(0.06) = 0';

/**
 * Starts MariaDB, which keeps what was committed when it is killed, with the tables of the suite.
 */
export async function openMariadb(): Promise<FaultDatabase> {
  const server = await startMariadb({
    settings: ['general-log=off', 'innodb-flush-log-at-trx-commit=1'],
  });
  const connect = async (): Promise<Connection> =>
    createConnection({ uri: server.url, multipleStatements: true });
  const run: Run = async (sql) => runOn(await connect(), sql);
  for (const statement of [...ITEMS, ...fillings(), SLOW]) await run(statement);
  return {
    name: 'mariadb',
    url: server.url,
    run,
    rows: run,
    halt: async () => {
      process.kill(server.pid, 'SIGKILL');
    },
    restart: async () => server.restart(),
    lock: async () => {
      const connection = await connect();
      await connection.query('lock tables items write');
      return onlyOnce(async () => connection.end());
    },
    freeze: async () => freeze([server.pid]),
    takeEveryConnection: async () => takeAll(connect, async (connection) => connection.end()),
    breakConnections: async () => killOthers(run),
    close: async () => server.stop(),
  };
}

type Run = (sql: string) => Promise<RowDataPacket[]>;

async function runOn(connection: Connection, sql: string): Promise<RowDataPacket[]> {
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

async function killOthers(run: Run): Promise<void> {
  const others = await run(
    `select id
    from information_schema.processlist
    where id <> connection_id()
      and user = 'root'`,
  );
  // One that has ended by itself meanwhile cannot be ended again.
  for (const { id } of others) await run(`kill ${Number(id)}`).catch(() => undefined);
}
