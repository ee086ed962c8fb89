import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { listens } from './listens.ts';
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

/** How an HAProxy treats its servers. */
export interface HaproxyOptions {
  /** Lines beside those that name its port and its servers. Default: none. */
  readonly lines?: readonly string[];
  /** What is said of the server at a port, such as `check`. Default: nothing. */
  readonly server?: (port: number) => string;
}

/** Whether {@link startHaproxy} finds the program that it needs. */
export function hasHaproxy(): boolean {
  return HAPROXY !== undefined;
}

/**
 * Starts an HAProxy in front of servers. Unless `lines` say otherwise, it passes on what it does
 * not understand, to each server in turn.
 *
 * @param ports those of the servers, on loopback
 */
export async function startHaproxy(
  ports: readonly number[],
  options: HaproxyOptions = {},
): Promise<Haproxy> {
  if (HAPROXY === undefined)
    throw new Error('No HAProxy was found. Install it; on Debian: apt-get install haproxy');
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  let printed = '';
  for (let left = 5; left > 0; left--) {
    const port = await freePort();
    await writeFile(file, configuration(port, ports, options));
    const program = startProgram(HAPROXY, ['-db', '-f', file]);
    if (await isUp(program, port)) return { port, stop: () => stop(program, folder) };
    printed = program.output();
  }
  throw new Error(`haproxy did not start:\n${printed}`);
}

function configuration(
  port: number,
  ports: readonly number[],
  { lines = [], server = () => '' }: HaproxyOptions,
): string {
  const servers = ports.map((at) => `server at${at} 127.0.0.1:${at} ${server(at)}`);
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
listen servers
  bind 127.0.0.1:${port}
  balance roundrobin
${[...lines, ...servers].map((line) => `  ${line}\n`).join('')}`;
}

async function isUp(program: RunningProgram, port: number): Promise<boolean> {
  const hasEnded = (): boolean => program.child.exitCode !== null;
  await until(async () => hasEnded() || listens(port));
  return !hasEnded();
}

async function stop(program: RunningProgram, folder: string): Promise<void> {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
