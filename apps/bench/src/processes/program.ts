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
