import { fileURLToPath } from 'node:url';

import {
  type Ended,
  type RunningProgram,
  type RunningService,
  startProgram,
  startService,
} from '@proj/test-servers';
import { afterAll, onTestFinished } from 'vitest';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/**
 * Runs the program, which ends with the test at the latest. Nothing of the test's own environment
 * reaches it but the path.
 */
export function launch(args: readonly string[], env: Environment = {}): RunningProgram {
  const running = startProgram(process.execPath, [MAIN, ...args], env);
  onTestFinished(running.stop);
  return running;
}

/** Starts a server that ends with the test at the latest, and waits until it says that it answers. */
export async function startServer(
  args: readonly string[],
  env: Environment = {},
  program = MAIN,
): Promise<RunningService> {
  const service = await startService([process.execPath, program, ...args], { env });
  onTestFinished(service.stop);
  return service;
}

/** A server for the tests of one file, of which most leave it as it was. */
export async function sharedServer(
  args: readonly string[],
  env: Environment = {},
): Promise<RunningService> {
  const service = await startService([process.execPath, MAIN, ...args], { env });
  afterAll(service.stop);
  return service;
}

/** Runs a line in a shell, as a reader would. */
export async function shell(line: string, env: Environment = {}): Promise<Ended> {
  return startProgram('sh', ['-c', line], env).ended;
}
