/**
 * Loaded into a process with `--import`: notes which functions run. On SIGWINCH, of which the
 * service takes no notice, it writes the URLs of the modules whose functions ran since the last
 * one, and starts anew. Processes that it forks do the same.
 */
import childProcess, { type ForkOptions } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { fork } = childProcess;
function forkRecorded(program: string, args: string[], options: ForkOptions) {
  const execArgv = [...(options.execArgv ?? []), '--import', import.meta.url];
  return fork(program, args, { ...options, execArgv });
}
childProcess.fork = forkRecorded as typeof fork;
syncBuiltinESMExports();

let records = 0;

async function writeRecord(): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  records += 1;
  const file = `${folder}/${process.pid}-${records}.json`;
  writeFileSync(`${file}.part`, JSON.stringify(ran.map(({ url }) => url)));
  renameSync(`${file}.part`, file);
}

process.on('SIGWINCH', () => void writeRecord());
// Says that signals are heard from now on.
writeFileSync(`${folder}/${process.pid}-0.json`, '[]');
