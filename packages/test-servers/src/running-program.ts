import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

type Environment = Readonly<Record<string, string>>;

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program while it runs. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** What it has written so far, complaints last. */
  readonly output: () => string;
  readonly ended: Promise<Ended>;
  /** Ends it at once. */
  readonly stop: () => Promise<void>;
}

/** The cache of compiled scripts, with which Node starts in a quarter of the time. */
const CACHE = 'NODE_COMPILE_CACHE';

/**
 * Starts a program with an environment of its own; nothing of the test's but the path and the cache
 * of compiled scripts reaches it. It never outlives the tests.
 */
export function startProgram(
  command: string,
  args: readonly string[],
  env: Environment = {},
): RunningProgram {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] ?? '', [CACHE]: process.env[CACHE], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async (): Promise<Ended> => {
    await once(child, 'close');
    process.removeListener('exit', kill);
    return { code: child.exitCode, ...written };
  };
  const ended = end();
  // Whoever waits for the end hears of a program that could not be started; others see it in what
  // is missing.
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    kill();
    await ended;
  };
  return { child, output: () => written.stdout + written.stderr, ended, stop };
}
