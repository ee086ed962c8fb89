import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterFile, type RunningService, startService as startProgram } from '@proj/test-servers';

import { programPath } from './program-path.ts';
import { makeFolder } from './temporary-folder.ts';

/** The token that the services of the tests take. */
export const TOKEN = 'dq_end-to-end-tests-0123456789abcdefghijklmnopq';

const MAIN = programPath('@proj/server', 'dist/main.js');

/** What a service serves. */
export interface ServiceOptions {
  /** Undefined where the settings name several. */
  readonly database?: string;
  /** Lines of the settings file. All tables are served unless it says otherwise. */
  readonly settings?: string;
  /** Default: `silent`. */
  readonly logLevel?: string;
}

/**
 * Starts the operator's command over a database and waits until it says that it answers. It ends
 * with the test file.
 */
export async function startService({
  database,
  settings = 'expose: all\n',
  logLevel = 'silent',
}: ServiceOptions): Promise<RunningService> {
  const folder = await makeFolder();
  const file = join(folder, 'settings.yaml');
  await writeFile(file, settings);
  const command = [process.execPath, MAIN, 'serve', '--log-level', logLevel, '--config', file];
  try {
    const named = database === undefined ? [] : ['--database', database];
    const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
    const service = await startProgram([...command, ...named], { env });
    afterFile(service.stop);
    return service;
  } finally {
    await rm(folder, { recursive: true });
  }
}
