import { join } from 'node:path';

import { type RunningProgram, startProgram } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import { TOKEN } from './service/service.ts';

/** The program as it is started from a shell. */
export const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

/** Starts a command with a service in its environment. It ends with the test at the latest. */
export function start(
  [command = '', ...args]: readonly string[],
  { url, path }: { url: string; path?: string },
): RunningProgram {
  const program = startProgram(command, args, {
    DYNAMIC_QUERY_URL: url,
    DYNAMIC_QUERY_TOKEN: TOKEN,
    ...(path !== undefined && { PATH: path }),
  });
  onTestFinished(program.stop);
  return program;
}
