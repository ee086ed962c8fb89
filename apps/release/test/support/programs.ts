import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

import { ROOT } from '../repository.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end and gives what it printed.
 *
 * @throws an error with its complaints when it fails.
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: RunOptions = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 256 * 2 ** 20 };
  const { stdout } = await promisify(execFile)(command, args, options);
  return stdout;
}

/** What a test needs of its machine. */
interface Needs {
  readonly programs: readonly string[];
  readonly root?: boolean;
}

/** Why a test is left out on this machine, for its title; nothing where it runs, as in CI. */
export function unmet({ programs, root = false }: Needs): string {
  if (process.env['CI']) return '';
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) return ` (not installed: ${missing.join(', ')})`;
  return root && process.getuid?.() !== 0 ? ' (needs root)' : '';
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
