import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type RunningService, until } from '@proj/test-servers';

import { sendTo } from '../helper.ts';
import { readersOf } from '../processes.ts';
import { startServer } from '../server-process.ts';

/** The service without its bundle, so that each file is seen. */
const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));

const ROOT = new URL('../../../../', import.meta.url).href;

/** The environment of a server in whose processes it is recorded which functions run. */
function recording(folder: string): Readonly<Record<string, string>> {
  const recorder = new URL(`recorder.ts?folder=${folder}`, import.meta.url).href;
  return { NODE_OPTIONS: `--import=${recorder} --disable-warning=ExperimentalWarning` };
}

/** A server that records, and the database file that its readers read. */
export interface RecordedServer {
  readonly server: RunningService;
  readonly database: string;
  readonly folder: string;
}

/** Starts a server over a SQLite file, which records into a folder. */
export async function startRecorded(database: string, folder: string): Promise<RecordedServer> {
  const args = ['--database', `sqlite:${database}`, '--expose', 'all'];
  const environment = { ...recording(folder), DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const server = await startServer(args, environment, PROGRAM);
  return { server, database, folder };
}

const TOKEN = 'a-token-of-the-test-that-is-long-enough';

/** Asks for a page, and returns nothing: only the way there counts. */
export async function ask({ server }: RecordedServer, body: object): Promise<void> {
  const reply = await sendTo(server.origin, body, { token: TOKEN });
  if (!reply.ok) throw new Error(await reply.text());
  await reply.text();
}

/**
 * The source files, from the root of the repository, that run for each of the requests: what runs
 * for some only, such as a timer, is no part of the way.
 */
export async function filesWalked(
  recorded: RecordedServer,
  requests: readonly object[],
): Promise<string[]> {
  const walks: Set<string>[] = [];
  for (const request of requests) {
    await filesSinceLast(recorded);
    await ask(recorded, request);
    walks.push(await filesSinceLast(recorded));
  }
  const [first = new Set<string>(), ...others] = walks;
  return [...first].filter((file) => others.every((walk) => walk.has(file))).toSorted();
}

async function filesSinceLast({ server, database, folder }: RecordedServer): Promise<Set<string>> {
  const pids = [server.child.pid ?? 0, ...readersOf(database)];
  const records = await Promise.all(pids.map((pid) => recordOf(pid, folder)));
  return new Set(records.flat().flatMap(sourceOf));
}

async function recordOf(pid: number, folder: string): Promise<string[]> {
  const fileOf = (record: number) => `${folder}/${pid}-${record}.json`;
  await until(() => existsSync(fileOf(0)));
  let record = 1;
  while (existsSync(fileOf(record))) record += 1;
  process.kill(pid, 'SIGWINCH');
  await until(() => existsSync(fileOf(record)));
  return JSON.parse(readFileSync(fileOf(record), 'utf8')) as string[];
}

/** The source of a built file of the project. */
function sourceOf(url: string): string[] {
  if (!url.startsWith(ROOT) || !url.includes('/dist/') || url.includes('/node_modules/')) return [];
  const path = fileURLToPath(url).slice(fileURLToPath(ROOT).length);
  return [path.replace('/dist/', '/src/').replace(/\.js$/, '.ts')];
}
