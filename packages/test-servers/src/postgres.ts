import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chown,
  mkdtemp,
  open,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

import { makeDataDirectory } from './data-template.ts';
import { freePort } from './free-port.ts';
import { findPostgres, type PostgresPrograms, programPath } from './postgres-programs.ts';
import { runSql } from './run-sql.ts';
import type { TestServer } from './test-server.ts';
import { unprivilegedAccount } from './unprivileged-account.ts';
import { until } from './until.ts';

/** A standby takes connections before it is promoted, to read only. */
const IS_READY = /ready to accept (read[- ]only )?connections/;

const run = promisify(execFile);

/** Small and fast; a test's data need not survive a power cut. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '40',
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'off',
  log_statement: 'all',
  log_destination: 'stderr',
  lc_messages: 'C',
  // New files of the log of writes need no zeroes, and a standby asks for its primary again at once.
  wal_init_zero: 'off',
  wal_retrieve_retry_interval: '100ms',
};

/** A PostgreSQL server that can be started again over the same data, at the same address. */
export interface PostgresServer extends TestServer {
  /** The major version, such as 18. */
  readonly major: number;
  /** @param database Default: `postgres`. */
  client(sql: string, database?: string): Promise<string>;
  /** Empties what {@link log} gives. */
  clearLog(): Promise<void>;
  /**
   * Ends the process and keeps the data.
   *
   * @param signal SIGINT as `pg_ctl stop -m fast`, the default; SIGQUIT as `-m immediate`
   */
  halt(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts the process again, ending it first where it still runs. */
  restart(): Promise<void>;
  /**
   * Starts a standby over a copy of the data, for which this server is halted and started again.
   * Give it a `wal_keep_size` for what is written before a standby that was halted is back.
   */
  startStandby(): Promise<PostgresServer>;
  /** As {@link startStandby}, and several with one halt. */
  startStandbys(count: number): Promise<readonly PostgresServer[]>;
}

/** How a PostgreSQL server differs from the ordinary one. */
export interface PostgresOptions {
  /** Lines of postgresql.conf, such as `{ max_connections: '10' }`. */
  readonly settings?: Record<string, string>;
  /** Servers of one name begin as copies of one cluster, with its system identifier. */
  readonly cluster?: string;
}

/** Starts a PostgreSQL server over new data. */
export async function startPostgres({
  settings = {},
  cluster = '',
}: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = await findPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-postgres-'));
  const server = new Postgres(programs, folder);
  try {
    await server.install({ ...SETTINGS, ...settings }, cluster);
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class Postgres implements PostgresServer {
  readonly directory: string;
  readonly major: number;
  readonly #programs: PostgresPrograms;
  readonly #folder: string;
  readonly #account = unprivilegedAccount();
  #port = 0;
  #process: ChildProcess | undefined;
  /** A worker of vitest has half a second for it. The folder goes with that of the run. */
  readonly #cleanUp = (): void => {
    this.#process?.kill('SIGQUIT');
  };

  constructor(programs: PostgresPrograms, folder: string) {
    this.#programs = programs;
    this.#folder = folder;
    this.major = programs.major;
    this.directory = join(folder, 'data');
    process.once('exit', this.#cleanUp);
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async install(settings: Record<string, string>, cluster: string): Promise<void> {
    await this.#giveFolderToAccount();
    await makeDataDirectory(`postgres-${this.major}${cluster}`, this.directory, async (directory) =>
      this.#initialize(directory),
    );
    await this.#configure(settings);
  }

  async #initialize(directory: string): Promise<void> {
    const place = [
      '--pgdata',
      directory,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-sync',
    ];
    // ICU knows every script on every platform, which the system's locales do not.
    const locale =
      this.major >= 15
        ? ['--locale=C', '--locale-provider=icu', '--icu-locale=und']
        : ['--locale=C.UTF-8'];
    await run(programPath(this.#programs, 'initdb'), [...place, ...locale], {
      ...this.#account,
      cwd: this.#folder,
    });
  }

  /**
   * Starts the process at a free port; a port that somebody else took meanwhile costs another try.
   */
  async start(): Promise<void> {
    for (let left = 5; left > 0; left--) {
      this.#port = await freePort();
      if (await this.#launch()) return;
    }
    throw new Error(`postgres did not start:\n${await this.log()}`);
  }

  async restart(): Promise<void> {
    await this.halt();
    if (!(await this.#launch()))
      throw new Error(`postgres did not start again:\n${await this.log()}`);
  }

  log(): Promise<string> {
    return readFile(this.#logFile, 'utf8');
  }

  clearLog(): Promise<void> {
    return truncate(this.#logFile);
  }

  client(sql: string, database = 'postgres'): Promise<string> {
    return runSql(this.url.replace(/postgres$/, encodeURIComponent(database)), sql);
  }

  async halt(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#running();
    if (child === undefined) return;
    const exit = once(child, 'exit');
    // A test may have frozen it.
    child.kill('SIGCONT');
    child.kill(signal);
    // One that hangs is killed.
    await Promise.race([exit, setTimeout(10_000, undefined, { ref: false })]);
    child.kill('SIGQUIT');
    await exit;
  }

  #running(): ChildProcess | undefined {
    const child = this.#process;
    return child?.exitCode === null && child.signalCode === null ? child : undefined;
  }

  async startStandby(): Promise<PostgresServer> {
    const [standby] = await this.startStandbys(1);
    return standby as PostgresServer;
  }

  async startStandbys(count: number): Promise<readonly PostgresServer[]> {
    const standbys = await Promise.all(
      Array.from({ length: count }, async () => {
        const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-postgres-'));
        return new Postgres(this.#programs, folder);
      }),
    );
    try {
      await this.halt();
      await Promise.all(standbys.map((standby) => standby.#installStandbyOf(this)));
      await this.restart();
      await Promise.all(standbys.map((standby) => standby.start()));
      return standbys;
    } catch (error) {
      await Promise.all(standbys.map((standby) => standby.stop()));
      throw error;
    }
  }

  async #installStandbyOf({ directory, url }: Postgres): Promise<void> {
    await this.#giveFolderToAccount();
    await run('cp', ['-a', directory, this.directory]);
    await writeFile(join(this.directory, 'standby.signal'), '');
    await this.#configure({ primary_conninfo: url });
  }

  /** The server refuses to run as root, and has to reach its folder. */
  async #giveFolderToAccount(): Promise<void> {
    const { uid, gid } = this.#account;
    if (uid !== undefined && gid !== undefined) await chown(this.#folder, uid, gid);
  }

  async #configure(settings: Record<string, string>): Promise<void> {
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
    );
    await appendFile(join(this.directory, 'postgresql.conf'), lines.join(''));
  }

  async stop(): Promise<void> {
    const child = this.#running();
    if (child !== undefined) {
      const exit = once(child, 'exit');
      child.kill('SIGCONT');
      // What it has not written yet is deleted anyway.
      child.kill('SIGQUIT');
      await exit;
    }
    process.removeListener('exit', this.#cleanUp);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Whether the process takes connections, after it has read its log of writes. */
  async #launch(): Promise<boolean> {
    const log = await open(this.#logFile, 'a');
    const before = (await log.stat()).size;
    const child = spawn(
      programPath(this.#programs, 'postgres'),
      ['-D', this.directory, '-p', String(this.#port)],
      {
        ...this.#account,
        cwd: this.#folder,
        // A file, not a pipe: a test that computes for long must not hold the server up.
        stdio: ['ignore', 'ignore', log.fd],
      },
    );
    this.#process = child;
    await Promise.race([once(child, 'spawn'), once(child, 'exit')]);
    await log.close();
    let isReady = false;
    await until(async () => {
      const printed = (await readFile(this.#logFile)).subarray(before);
      isReady = IS_READY.test(printed.toString());
      return isReady || child.exitCode !== null || child.signalCode !== null;
    }, Infinity);
    return isReady;
  }

  get #logFile(): string {
    return join(this.#folder, 'server.log');
  }
}
