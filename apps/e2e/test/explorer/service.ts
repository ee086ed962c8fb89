import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { programPath } from '../support/program-path.ts';
import { TOKEN } from '../support/service.ts';

/** A running service. */
export interface Service {
  readonly origin: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

interface ServiceOptions {
  /** Arguments of the command; none for the demo. */
  readonly args?: readonly string[];
  readonly port?: number;
  readonly token?: string;
}

const START = programPath('@proj/demo', 'dist/start.js');

/** Starts the demo, or the service with other arguments, and waits until it answers. */
export async function startService({
  args = [],
  port,
  token = TOKEN,
}: ServiceOptions = {}): Promise<Service> {
  for (let tries = 0; tries < 10; tries += 1) {
    const chosen = port ?? randomInt(20_000, 32_000);
    const child = spawn(
      process.execPath,
      [START, 'serve', '--port', String(chosen), '--log-level', 'silent', ...args],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          ...(token !== '' && { DYNAMIC_QUERY_TOKEN: token }),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)));
    const origin = `http://127.0.0.1:${chosen}`;
    if (await isReady(origin, child))
      return { origin, port: chosen, stop: async () => stop(child) };
    await stop(child);
    if (port !== undefined || !complaints.includes('EADDRINUSE'))
      throw new Error(`The service did not start: ${complaints}`);
  }
  throw new Error('No port was free.');
}

async function isReady(origin: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + 60_000;
  while (child.exitCode === null && Date.now() < deadline) {
    const ready = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return child.exitCode === null;
    await sleep(50);
  }
  return false;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
