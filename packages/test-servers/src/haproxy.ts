import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { type RunningProgram, startProgram } from './running-program.ts';
import { until } from './until.ts';

const PLACES = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'];

const HAPROXY = [process.env['HAPROXY'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** An HAProxy that leads each connection to the next one of several servers. */
export interface Haproxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Whether {@link startHaproxy} finds the program that it needs. */
export function hasHaproxy(): boolean {
  return HAPROXY !== undefined;
}

/**
 * Starts an HAProxy in front of database servers, which passes on what it does not understand.
 *
 * @param ports those of the servers, on loopback
 */
export async function startHaproxy(ports: readonly number[]): Promise<Haproxy> {
  if (HAPROXY === undefined)
    throw new Error('No HAProxy was found. Install it; on Debian: apt-get install haproxy');
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  let printed = '';
  for (let left = 5; left > 0; left--) {
    const port = await freePort();
    await writeFile(file, configuration(port, ports));
    const program = startProgram(HAPROXY, ['-db', '-f', file]);
    if (await isUp(program, port)) return { port, stop: () => stop(program, folder) };
    printed = program.output();
  }
  throw new Error(`haproxy did not start:\n${printed}`);
}

function configuration(port: number, ports: readonly number[]): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
listen databases
  bind 127.0.0.1:${port}
  balance roundrobin
${ports.map((at) => `  server at${at} 127.0.0.1:${at}\n`).join('')}`;
}

async function isUp(program: RunningProgram, port: number): Promise<boolean> {
  const hasEnded = (): boolean => program.child.exitCode !== null;
  await until(async () => hasEnded() || listens(port));
  return !hasEnded();
}

async function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function stop(program: RunningProgram, folder: string): Promise<void> {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
