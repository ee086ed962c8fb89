import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { psqlPath } from './postgres-programs.ts';

const run = promisify(execFile);

const OPTIONS = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'];

/** Runs SQL at a PostgreSQL server, through `psql`, and gives what that prints. */
export async function runSql(url: string, sql: string): Promise<string> {
  const child = run(psqlPath(), [...OPTIONS, url], { maxBuffer: 2 ** 28 });
  child.child.stdin?.end(sql);
  return (await child).stdout.trimEnd();
}
