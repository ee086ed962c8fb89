import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { hasPrograms, SERVER_PATH } from './has-program.ts';
import {
  type MysqlOptions,
  MysqlProcess,
  type MysqlServer,
  type Product,
} from './mysql-process.ts';

const run = promisify(execFile);

const SETTINGS = ['skip-slave-start', 'innodb-log-file-size=8M', 'aria-pagecache-buffer-size=2M'];

const PRODUCT: Product = {
  name: 'mariadb',
  program: 'mariadbd',
  settings: SETTINGS,
  async initialize(place, script) {
    // The installer's own database `test` is open to everybody.
    const content = [
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
      '--innodb-log-file-size=8M',
      `--extra-file=${script}`,
    ];
    const env = { ...process.env, PATH: SERVER_PATH };
    await run('mariadb-install-db', [...place, ...content], { env });
  },
};

/** A MariaDB server. */
export interface MariadbServer extends MysqlServer {
  /**
   * Starts a server that applies what is written to this one, which needs the setting `log-bin`, in
   * several threads that run ahead of each other.
   */
  startReplica(): Promise<MariadbServer>;
}

/** Whether `startMariadb` finds the programs that it needs, or has to: see {@link hasPrograms}. */
export function hasMariadb(): boolean {
  return hasPrograms('mariadbd', 'mariadb-install-db', 'mariadb');
}

/** Starts a MariaDB server over new data, with a database named `test`. */
export async function startMariadb(options: MysqlOptions = {}): Promise<MariadbServer> {
  if (!hasMariadb()) {
    throw new Error(
      'No MariaDB server was found. Install it; on Debian: ' +
        'apt-get install mariadb-server mariadb-client',
    );
  }
  const server = new Mariadb(PRODUCT, options);
  await server.begin();
  return server;
}

class Mariadb extends MysqlProcess implements MariadbServer {
  async startReplica(): Promise<MariadbServer> {
    const settings = ['server-id=2', 'slave-parallel-threads=4', 'slave-parallel-mode=optimistic'];
    const replica = await startMariadb({ settings });
    await replica.client(`
      change master to master_host = '127.0.0.1', master_port = ${new URL(this.url).port},
        master_user = 'root', master_use_gtid = slave_pos;
      start slave`);
    return replica;
  }
}
