import { runProgram, type Terminal } from '@proj/cli/command-line';

import { buildProgram } from './program.ts';

/**
 * Runs one command line, without the program's name.
 *
 * @returns the exit code; errors are written to `stderr`.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(buildProgram, args, terminal);
}
