import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { beforeRelease } from './before-release.ts';
import { SERVER_PATH } from './has-program.ts';
import { type MysqlOptions, MysqlProcess, type MysqlServer } from './mysql-process.ts';

const run = promisify(execFile);

const FETCH = fileURLToPath(new URL('../../../scripts/fetch-mysql.sh', import.meta.url));

/** Kept for all checkouts and runs. */
const FETCHED = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'dynamic-query-tests',
  'mysql',
);

const SETTINGS = [
  'mysqlx=off',
  'secure-file-priv=',
  'disable-log-bin',
  'innodb-redo-log-capacity=8M',
  'log-error-verbosity=2',
  'loose-restrict-fk-on-non-standard-key=off',
];

let found: { readonly program: string | undefined } | undefined;

/**
 * Whether `startMysql` finds a server, or has to: before a release. `TEST_MYSQL_BIN` names a folder
 * that has `mysqld`; else it is the one of the path, or one that is fetched for all later runs.
 */
export function hasMysql(): boolean {
  return beforeRelease || findMysqld() !== undefined;
}

/** Starts a MySQL server over new data, with a database named `test`. */
export async function startMysql(options: MysqlOptions = {}): Promise<MysqlServer> {
  const program = findMysqld();
  if (program === undefined) throw new Error('No MySQL server was found, and none was fetched.');
  const server = new MysqlProcess(
    {
      name: 'mysql',
      program,
      settings: SETTINGS,
      // Without names of hosts, `localhost` is the socket alone.
      sql: "create user root@'127.0.0.1';\ngrant all on *.* to root@'127.0.0.1' with grant option;\n",
      ...(program === join(FETCHED, 'mysqld') && { templates: FETCHED }),
      initialize: (place, script) =>
        run(program, [...place, '--initialize-insecure', `--init-file=${script}`]),
    },
    options,
  );
  await server.begin();
  return server;
}

function findMysqld(): string | undefined {
  found ??= { program: lookForMysqld() };
  return found.program;
}

function lookForMysqld(): string | undefined {
  const chosen = process.env['TEST_MYSQL_BIN'];
  if (chosen !== undefined) return join(chosen, 'mysqld');
  return installedMysqld() ?? fetchMysqld();
}

/** MariaDB has a program of this name too. */
function installedMysqld(): string | undefined {
  return SERVER_PATH.split(delimiter)
    .map((folder) => join(folder, 'mysqld'))
    .find(
      (path) =>
        existsSync(path) &&
        !execFileSync(path, ['--version'], { encoding: 'utf8' }).includes('MariaDB'),
    );
}

function fetchMysqld(): string | undefined {
  // The workers of a run ask for it once.
  const failed = join(process.env['TEST_SERVER_TEMPLATES'] ?? FETCHED, 'no-mysql');
  if (existsSync(failed)) return undefined;
  try {
    if (!existsSync(FETCHED))
      execFileSync(FETCH, [FETCHED], { stdio: ['ignore', 'ignore', 'pipe'], timeout: 180_000 });
    return join(FETCHED, 'mysqld');
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n').slice(1);
    console.warn(`Tests of MySQL are left out: none is installed or can be fetched. ${reason}`);
    if (existsSync(join(failed, '..'))) writeFileSync(failed, '');
    return undefined;
  }
}
