import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { type RunningProgram, startProgram } from './running-program.ts';
import { runSql } from './run-sql.ts';
import { unprivilegedAccount } from './unprivileged-account.ts';
import { until } from './until.ts';

/** Patroni needs more of PostgreSQL's programs than npm has. */
const POSTGRES_PROGRAMS = globSync('/usr/lib/postgresql/*/bin').at(-1) ?? '';

/** Small, and as quick to fail over as Patroni allows. */
const CLUSTER = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  // A primary that crashed is not waited for.
  primary_start_timeout: 0,
  // What was committed is on two servers.
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { wal_level: 'logical', max_connections: 60, shared_buffers: '32MB', fsync: 'off' },
  },
};

/** A server that rewinds and starts anew takes long on a busy machine. */
const LONGEST_MS = 300_000;

/** `sync` is a replica that has everything which is committed. */
export type PatroniRole = 'primary' | 'replica' | 'sync';

/** A PostgreSQL server, and the Patroni that decides whether it takes writes. */
export interface PatroniNode {
  readonly name: string;
  /** Where the server answers, as its superuser. */
  readonly url: string;
  readonly port: number;
  /** Where Patroni says what the server is at the moment. */
  readonly restPort: number;
  /** The process of the server; tests may send it signals. */
  readonly pid: number;
  /** Whether Patroni says that it is this at the moment. */
  is(role: PatroniRole): Promise<boolean>;
  /** Whether it does, which is later than that Patroni calls it the primary. */
  takesWrites(): Promise<boolean>;
  /** Ends its Patroni, and stops the processes of the server until {@link goOn}. */
  freeze(): void;
  /**
   * Lets the server go on, and starts Patroni anew: a stopped one of 3.0.2 that goes on may take the
   * lock from the new primary: https://github.com/patroni/patroni/pull/2689
   */
  goOn(): void;
  /** Runs SQL at the server and gives what is printed. */
  client(sql: string): Promise<string>;
}

/** PostgreSQL servers of which Patroni makes one the primary, and another one when that fails. */
export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  /** The node that takes writes, as soon as there is one. */
  primary(): Promise<PatroniNode>;
  /**
   * Waits until one node takes writes, all others follow it, and one of them has what is committed,
   * so that it can take over.
   */
  untilWhole(): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

/** Whether {@link startPatroni} finds the programs that it needs. */
export function hasPatroni(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v patroni && command -v etcd'], { stdio: 'ignore' });
    return POSTGRES_PROGRAMS !== '';
  } catch {
    return false;
  }
}

/** Starts PostgreSQL servers that agree by etcd on which of them is the primary. */
export async function startPatroni(size: number): Promise<PatroniCluster> {
  if (!hasPatroni())
    throw new Error(
      'No Patroni was found. On Debian: apt-get install patroni etcd-server postgresql',
    );
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-patroni-'));
  const { uid, gid } = unprivilegedAccount();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  const cluster = new Patroni(folder);
  try {
    await cluster.start(size);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

class Patroni implements PatroniCluster {
  readonly #folder: string;
  readonly #nodes: Node[] = [];
  #etcd: RunningProgram | undefined;
  readonly #cleanUp = (): void => {
    for (const node of this.#nodes) node.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };

  constructor(folder: string) {
    this.#folder = folder;
    process.once('exit', this.#cleanUp);
  }

  get nodes(): readonly PatroniNode[] {
    return this.#nodes;
  }

  async start(size: number): Promise<void> {
    const etcdPort = await this.#startEtcd();
    for (let number = 1; number <= size; number++)
      this.#nodes.push(await Node.start({ name: `node${number}`, etcdPort, folder: this.#folder }));
    await this.untilWhole();
  }

  async primary(): Promise<PatroniNode> {
    let found: Node | undefined;
    await until(async () => {
      const roles = await Promise.all(this.#nodes.map((node) => node.is('primary')));
      found = this.#nodes[roles.indexOf(true)];
      return found !== undefined && (await found.takesWrites());
    }, LONGEST_MS);
    return found as Node;
  }

  async untilWhole(): Promise<void> {
    await until(async () => {
      const primary = await this.primary();
      const others = this.#nodes.filter((node) => node !== primary);
      const [follow, keepUp] = await Promise.all(
        (['replica', 'sync'] as const).map((role) =>
          Promise.all(others.map((node) => node.is(role))),
        ),
      );
      return follow?.every(Boolean) === true && keepUp?.some(Boolean) === true;
    }, LONGEST_MS);
  }

  log(): string {
    return this.#nodes.map((node) => node.log()).join('\n');
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) await node.stop();
    await this.#etcd?.stop();
    process.removeListener('exit', this.#cleanUp);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  async #startEtcd(): Promise<number> {
    const [port, peerPort] = [await freePort(), await freePort()];
    const [url, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    const clients = ['--listen-client-urls', url, '--advertise-client-urls', url];
    const others = ['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers];
    const own = ['--name', 'one', '--initial-cluster', `one=${peers}`];
    const data = ['--data-dir', join(this.#folder, 'etcd')];
    this.#etcd = startProgram('etcd', [...own, ...data, ...clients, ...others]);
    await until(() => answers(`${url}/health`));
    return port;
  }
}

/** Where a node is started. */
interface Place {
  readonly name: string;
  readonly etcdPort: number;
  /** The folder of the cluster. */
  readonly folder: string;
}

class Node implements PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #directory: string;
  #program: RunningProgram;

  private constructor({ name, folder }: Place, port: number, restPort: number) {
    this.name = name;
    this.port = port;
    this.restPort = restPort;
    this.#directory = join(folder, name);
    this.#program = this.#start();
  }

  static async start(place: Place): Promise<Node> {
    const [port, restPort] = [await freePort(), await freePort()];
    const settings = JSON.stringify(settingsOf(place, port, restPort));
    await writeFile(join(place.folder, `${place.name}.yml`), settings);
    return new Node(place, port, restPort);
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    const [pid] = readFileSync(join(this.#directory, 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }

  is(role: PatroniRole): Promise<boolean> {
    return answers(`http://127.0.0.1:${this.restPort}/${role}`);
  }

  takesWrites(): Promise<boolean> {
    return this.client('select pg_is_in_recovery()').then(
      (printed) => printed === 'f',
      () => false,
    );
  }

  client(sql: string): Promise<string> {
    return runSql(this.url, sql);
  }

  freeze(): void {
    this.#program.child.kill('SIGKILL');
    process.kill(this.pid, 'SIGSTOP');
    this.#signalSessions('SIGSTOP');
  }

  goOn(): void {
    this.#signalSessions('SIGCONT');
    process.kill(this.pid, 'SIGCONT');
    this.#program = this.#start();
  }

  log(): string {
    return this.#program.output();
  }

  /** Ends Patroni, which leaves the server running, and then the server. */
  kill(): void {
    this.#program.child.kill('SIGKILL');
    try {
      process.kill(this.pid, 'SIGQUIT');
    } catch {
      // It has ended before.
    }
  }

  /** Resolves when both have closed the output that they share. */
  async stop(): Promise<void> {
    this.kill();
    await this.#program.ended;
  }

  #start(): RunningProgram {
    const [command, ...args] = [...asUnprivileged(), 'patroni', `${this.#directory}.yml`];
    return startProgram(command ?? '', args);
  }

  /** The server stands still meanwhile, so that it forgets none that has ended. */
  #signalSessions(name: 'SIGSTOP' | 'SIGCONT'): void {
    const sessions = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.pid)]).toString();
    for (const pid of sessions.trim().split(/\s+/)) process.kill(Number(pid), name);
  }
}

function settingsOf({ name, folder, etcdPort }: Place, port: number, restPort: number): object {
  const [rest, listen] = [`127.0.0.1:${restPort}`, `127.0.0.1:${port}`];
  const superuser = { username: 'postgres' };
  return {
    scope: 'dynamic-query',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: { dcs: CLUSTER, initdb: [{ encoding: 'UTF8' }, { auth: 'trust' }, 'no-sync'] },
    postgresql: {
      listen,
      connect_address: listen,
      data_dir: join(folder, name),
      bin_dir: POSTGRES_PROGRAMS,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser, replication: superuser },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  };
}

/** PostgreSQL refuses to run as root. */
function asUnprivileged(): string[] {
  const { uid, gid } = unprivilegedAccount();
  return uid === undefined
    ? []
    : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.text();
      return response.ok;
    },
    () => false,
  );
}
