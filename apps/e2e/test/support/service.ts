import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { anyPort, type RunningProgram, startProgram, until } from '@proj/test-servers';

import { programPath } from './program-path.ts';
import { makeFolder } from './temporary-folder.ts';

/** The token that the services of the tests take. */
export const TOKEN = 'dq_end-to-end-tests-0123456789abcdefghijklmnopq';

const MAIN = programPath('@proj/server', 'dist/main.js');

/** A service that runs as a process of its own. */
export interface Service extends RunningProgram {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
}

/** What a service serves. */
export interface ServiceOptions {
  readonly database: string;
  /** Lines of the settings file. All tables are served unless it says otherwise. */
  readonly settings?: string;
}

/** Starts the operator's command over a database and waits until it says that it answers. */
export async function startService({
  database,
  settings = 'expose: all\n',
}: ServiceOptions): Promise<Service> {
  const folder = await makeFolder();
  const file = join(folder, 'settings.yaml');
  await writeFile(file, settings);
  try {
    return await startWith(['--config', file, '--database', database]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A port that somebody else has taken costs another try. */
async function startWith(args: readonly string[]): Promise<Service> {
  for (let tries = 0; tries < 10; tries++) {
    const port = anyPort();
    const origin = `http://127.0.0.1:${port}`;
    const command = [MAIN, 'serve', '--port', String(port), '--log-level', 'silent', ...args];
    const program = startProgram(process.execPath, command, { DYNAMIC_QUERY_TOKEN: TOKEN });
    // Its own word: whoever else has the port may answer, too.
    await until(() => program.child.exitCode !== null || /^ {2}curl /m.test(program.output()));
    if (program.child.exitCode === null) return { ...program, port, origin };
    const { stderr } = await program.ended;
    if (!stderr.includes('EADDRINUSE')) throw new Error(`The service did not start: ${stderr}`);
  }
  throw new Error('No port was free.');
}
