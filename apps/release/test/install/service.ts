import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { freePort, startProgram, until } from '@proj/test-servers';

/** The token that the services of the tests take. */
export const TOKEN = 'dq_installation-tests-0123456789abcdefghijklmnop';

/** What `fixtures/read-list.mjs` says of the database. */
export const LIST_READ = 'bigint 25, 10 from 9007199254741001, true, sum 225179981368525075';

/** A service that runs as a process of its own. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What it has printed so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** Writes an SQLite file whose 25 keys no double holds. */
export function writeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`create table readings (id integer primary key, value integer not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 25)
    insert into readings select 9007199254740990 + i, i from n`);
  database.close();
}

/** Starts a program that serves, and waits until it says that it answers. */
export async function startService(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const port = await freePort();
  const program = startProgram(command, [...args, '--port', String(port)], {
    ...env,
    DYNAMIC_QUERY_TOKEN: TOKEN,
  });
  const { child, output, stop } = program;
  await until(() => child.exitCode !== null || /^ {2}curl /m.test(output()), 120_000);
  if (child.exitCode !== null) throw new Error(`The service did not start: ${output()}`);
  return { origin: `http://127.0.0.1:${port}`, output, stop };
}

/** Serves the database from this repository, for clients that are installed elsewhere. */
export async function serveFromRepository(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const database = join(folder, 'readings.db');
  writeDatabase(database);
  const main = fileURLToPath(
    new URL('dist/main.js', import.meta.resolve('@proj/server/package.json')),
  );
  const service = await startService([
    process.execPath,
    main,
    'serve',
    '--database',
    `sqlite:${database}`,
    '--expose',
    'all',
  ]);
  const stop = async (): Promise<void> => {
    await service.stop();
    await rm(folder, { recursive: true });
  };
  return { ...service, stop };
}
