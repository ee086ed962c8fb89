import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { anyPort, type RunningProgram, startProgram, until } from '@proj/test-servers';

const PLACES = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'];

const HAPROXY = [process.env['HAPROXY'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/**
 * Whether tests of that title have to be left out for want of HAProxy, which is said aloud. Never
 * where CI is set: they fail there.
 */
export function lacksBalancer(title: string): boolean {
  if (HAPROXY !== undefined || process.env['CI'] !== undefined) return false;
  process.stderr.write(
    `LEFT OUT: ${title}: no HAProxy was found. On Debian: apt-get install haproxy; or name it in HAPROXY.\n`,
  );
  return true;
}

/** What a balancer knows of one server. */
export interface ServerStatistics {
  /** Requests that are with the server now. */
  readonly underWay: number;
  /** Requests that it has answered with success. */
  readonly succeeded: number;
}

/** An HAProxy in front of several servers. */
export interface Balancer extends RunningProgram {
  readonly origin: string;
  readonly statistics: (server: string) => Promise<ServerStatistics>;
}

export interface BalancerOptions {
  readonly folder: string;
  /** Ports of the servers by their names. */
  readonly servers: Readonly<Record<string, number>>;
  /** Lines that say what happens to a request whose server fails. */
  readonly onFailure: readonly string[];
}

/** Starts HAProxy as an operator would: in turn to each server that is ready. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  if (HAPROXY === undefined)
    throw new Error(
      'No HAProxy was found. On Debian: apt-get install haproxy; or name it in HAPROXY.',
    );
  const file = join(options.folder, 'haproxy.cfg');
  for (let tries = 0; tries < 10; tries++) {
    const port = anyPort();
    await writeFile(file, configuration(port, options));
    const program = startProgram(HAPROXY, ['-db', '-f', file]);
    const origin = `http://127.0.0.1:${port}`;
    const isUp = async () =>
      fetch(`${origin}/statistics`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => program.child.exitCode !== null || isUp());
    if (program.child.exitCode === null)
      return { ...program, origin, statistics: async (server) => ask(origin, server) };
    if (!program.output().includes('in use'))
      throw new Error(`HAProxy did not start: ${program.output()}`);
  }
  throw new Error('No port was free.');
}

function configuration(port: number, { servers, onFailure }: BalancerOptions): string {
  const lines = Object.entries(servers).map(
    ([name, at]) => `  server ${name} 127.0.0.1:${at} check`,
  );
  return `global
  maxconn 200
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 10s
${onFailure.map((line) => `  ${line}`).join('\n')}
frontend entrance
  bind 127.0.0.1:${port}
  stats enable
  stats uri /statistics
  default_backend services
backend services
  balance roundrobin
  option httpchk GET /readyz
  default-server inter 200ms fall 3 rise 1
${lines.join('\n')}
`;
}

async function ask(origin: string, server: string): Promise<ServerStatistics> {
  const [names = '', ...rows] = (await (await fetch(`${origin}/statistics;csv`)).text()).split(
    '\n',
  );
  const columns = names.split(',');
  const row = rows.map((line) => line.split(',')).find(([, name]) => name === server) ?? [];
  const value = (column: string): number => Number(row[columns.indexOf(column)] ?? Number.NaN);
  return { underWay: value('scur'), succeeded: value('hrsp_2xx') };
}
