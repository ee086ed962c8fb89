import {
  type Ended,
  type RunningProgram,
  type RunningService,
  startProgram,
} from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import { programPath } from '../support/program-path.ts';
import { TOKEN } from '../support/service.ts';

const MAIN = programPath('@proj/cli', 'dist/main.js');

/**
 * Starts `dq` against a service, with its outputs in pipes. It ends with the test at the latest.
 */
export function startDq(
  args: readonly string[],
  { origin }: Pick<RunningService, 'origin'>,
): RunningProgram {
  const program = startProgram(process.execPath, [MAIN, ...args], {
    DYNAMIC_QUERY_URL: origin,
    DYNAMIC_QUERY_TOKEN: TOKEN,
  });
  onTestFinished(program.stop);
  return program;
}

/** Runs `dq` to its end. */
export async function dq(
  args: readonly string[],
  service: Pick<RunningService, 'origin'>,
): Promise<Ended> {
  return startDq(args, service).ended;
}
