import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { randomPort, until } from './helper.ts';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program while it runs. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What it has written so far. */
  readonly output: () => string;
  /** The line that it prints for trying it out. */
  readonly curl: string;
  readonly ended: Promise<Ended>;
}

/**
 * Runs the program, which ends with the test at the latest. Nothing of the test's own environment
 * reaches it but the path.
 */
export function launch(args: readonly string[], env: Environment = {}, program = MAIN) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += String(chunk)));
  const ended = once(child, 'close').then(([code]): Ended => ({
    code: code as number | null,
    ...written,
  }));
  return { child, ended, written };
}

/** Starts a server on a port that is free and waits until it says that it answers. */
export async function startServer(
  args: readonly string[],
  env: Environment = {},
  program = MAIN,
): Promise<ServerProcess> {
  for (let tries = 0; tries < 10; tries++) {
    const port = randomPort();
    const { child, ended, written } = launch(['--port', String(port), ...args], env, program);
    await until(() => child.exitCode !== null || /^ {2}curl .*\n/m.test(written.stdout), 60_000);
    const curl = /^ {2}(curl .*)$/m.exec(written.stdout)?.[1];
    const output = () => written.stdout + written.stderr;
    if (curl !== undefined)
      return { child, origin: `http://127.0.0.1:${port}`, output, curl, ended };
    if (!written.stderr.includes('EADDRINUSE'))
      throw new Error(`The server did not start: ${output()}`);
  }
  throw new Error('No port was free.');
}

/** Runs a line in a shell, as a reader would. */
export async function shell(line: string, env: Environment = {}): Promise<Ended> {
  const child = spawn('sh', ['-c', line], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...written };
}
