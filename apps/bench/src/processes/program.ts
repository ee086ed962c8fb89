import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether the path leads to a program. */
export async function hasProgram(name: string): Promise<boolean> {
  return run('sh', ['-c', 'command -v "$0"', name]).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a program to its end.
 *
 * @throws {Error} with what it printed, when it fails.
 */
export async function runProgram(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(name, args, { maxBuffer: 2 ** 26 });
  return stdout;
}
