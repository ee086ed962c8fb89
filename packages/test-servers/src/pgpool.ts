import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { listens } from './listens.ts';
import { type RunningProgram, startProgram } from './running-program.ts';
import { until } from './until.ts';

const PLACES = ['/usr/sbin/pgpool', '/usr/local/bin/pgpool'];

const PGPOOL = [process.env['PGPOOL'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** A Pgpool-II in front of a PostgreSQL primary and its standbys. */
export interface Pgpool {
  /** Where it answers, as the superuser of the servers. */
  readonly url: string;
  log(): string;
  stop(): Promise<void>;
}

/** Whether {@link startPgpool} finds the program that it needs. */
export function hasPgpool(): boolean {
  return PGPOOL !== undefined;
}

/**
 * Starts a Pgpool-II that lets everybody in.
 *
 * @param servers URLs of the primary and of its standbys
 * @param settings lines of pgpool.conf, such as `{ load_balance_mode: 'off' }`
 */
export async function startPgpool(
  servers: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Pgpool> {
  if (PGPOOL === undefined)
    throw new Error('No Pgpool-II was found. Install it; on Debian: apt-get install pgpool2');
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-pgpool-'));
  const [port, pcpPort] = [await freePort(), await freePort()];
  const file = join(folder, 'pgpool.conf');
  const lines = { ...ownSettings(folder, port, pcpPort), ...backends(servers), ...settings };
  const text = Object.entries(lines).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(file, text.join(''));
  await writeFile(join(folder, 'pcp.conf'), '');
  await writeFile(join(folder, 'hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  const files = ['-f', file, '-F', join(folder, 'pcp.conf'), '-a', join(folder, 'hba.conf')];
  const program = startProgram(PGPOOL, ['-n', ...files]);
  const hasEnded = (): boolean => program.child.exitCode !== null;
  await until(async () => hasEnded() || listens(port));
  if (hasEnded()) throw new Error(`pgpool did not start:\n${program.output()}`);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { url, log: () => program.output(), stop: () => stop(program, folder) };
}

function ownSettings(folder: string, port: number, pcpPort: number): Record<string, string> {
  return {
    backend_clustering_mode: 'streaming_replication',
    listen_addresses: '127.0.0.1',
    port: String(port),
    pcp_listen_addresses: '127.0.0.1',
    pcp_port: String(pcpPort),
    socket_dir: folder,
    pcp_socket_dir: folder,
    pid_file_name: join(folder, 'pgpool.pid'),
    logdir: folder,
    num_init_children: '40',
    max_pool: '1',
    sr_check_user: 'postgres',
    sr_check_database: 'postgres',
    sr_check_period: '1',
    health_check_period: '0',
    // A standby that is behind stays in use.
    delay_threshold: '0',
  };
}

function backends(servers: readonly string[]): Record<string, string> {
  const entries = servers.flatMap((server, index) => {
    const { hostname, port } = new URL(server);
    return [
      [`backend_hostname${index}`, hostname],
      [`backend_port${index}`, port],
      [`backend_weight${index}`, '1'],
      [`backend_flag${index}`, 'DISALLOW_TO_FAILOVER'],
    ];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Its children end with it when it is asked to. */
async function stop(program: RunningProgram, folder: string): Promise<void> {
  program.child.kill('SIGINT');
  await program.ended;
  await rm(folder, { recursive: true, force: true });
}
