import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { hasPrograms } from './has-program.ts';
import { unprivilegedAccount } from './unprivileged-account.ts';

/** When a connection of the server may serve another client. */
export type PoolMode = 'session' | 'transaction' | 'statement';

/** A PgBouncer in front of one PostgreSQL server. */
export interface PgBouncer {
  /** Where it answers, with the user and the database of the server's URL. */
  readonly url: string;
  /** The process that was started; tests may send it signals. */
  readonly pid: number;
  /** Everything that it logged so far. */
  log(): string;
  /** Lets the transactions that run end, and starts the process again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a PgBouncer is started with. */
export interface PgBouncerOptions {
  /** URL of the PostgreSQL server, which must not ask for passwords. */
  readonly server: string;
  readonly mode: PoolMode;
  /** Lines of the section `[pgbouncer]`, such as `{ default_pool_size: '1' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether it is started again when it ends by itself, as by systemd. Default: false. */
  readonly restarts?: boolean;
}

/** Whether {@link startPgBouncer} finds its program, or has to: see {@link hasPrograms}. */
export function hasPgBouncer(): boolean {
  return hasPrograms('pgbouncer');
}

/** Starts a PgBouncer that lets everybody in. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  if (!hasPgBouncer())
    throw new Error('No PgBouncer was found. Install it; on Debian: apt-get install pgbouncer');
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-pgbouncer-'));
  const pooler = new LocalPgBouncer(folder, options);
  try {
    await pooler.start();
    return pooler;
  } catch (error) {
    await pooler.stop();
    throw error;
  }
}

class LocalPgBouncer implements PgBouncer {
  readonly #folder: string;
  readonly #options: PgBouncerOptions;
  readonly #account = unprivilegedAccount();
  #port = 0;
  #process: ChildProcess | undefined;
  #printed = '';
  /** A worker of vitest has half a second for it. The folder goes with that of the run. */
  readonly #cleanUp = (): void => {
    this.#process?.kill('SIGKILL');
  };

  constructor(folder: string, options: PgBouncerOptions) {
    this.#folder = folder;
    this.#options = options;
    process.once('exit', this.#cleanUp);
  }

  get url(): string {
    const url = new URL(this.#options.server);
    url.port = String(this.#port);
    return url.href;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  log(): string {
    return this.#printed;
  }

  /**
   * Starts the process at a free port; a port that somebody else took meanwhile costs another try.
   */
  async start(): Promise<void> {
    for (let left = 5; left > 0; left--) {
      this.#port = await freePort();
      await this.#configure();
      if (await this.#launch()) return;
    }
    throw new Error(`pgbouncer did not start:\n${this.#printed}`);
  }

  async restart(): Promise<void> {
    await this.#end('SIGINT');
    if (!(await this.#launch())) throw new Error(`pgbouncer did not start:\n${this.#printed}`);
  }

  async stop(): Promise<void> {
    // It keeps nothing; a test may have frozen it.
    await this.#end('SIGKILL');
    process.removeListener('exit', this.#cleanUp);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  get #file(): string {
    return join(this.#folder, 'pgbouncer.ini');
  }

  async #configure(): Promise<void> {
    const { server, mode, settings = {} } = this.#options;
    const { hostname, port, username } = new URL(server);
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: String(this.#port),
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: join(this.#folder, 'users'),
      pool_mode: mode,
      ...settings,
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`);
    await writeFile(join(this.#folder, 'users'), `"${username}" ""\n`);
    await writeFile(
      this.#file,
      `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${text.join('')}`,
    );
    const { uid, gid } = this.#account;
    if (uid !== undefined && gid !== undefined) await chown(this.#folder, uid, gid);
  }

  async #launch(): Promise<boolean> {
    const child = spawn('pgbouncer', [this.#file], {
      ...this.#account,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    this.#process = child;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    child.on('exit', () => {
      resolve(false);
      const hasServed = printed.includes('process up') && this.#process === child;
      if (hasServed && this.#options.restarts === true) void this.#launch();
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      this.#printed += text;
      if (printed.includes('process up')) resolve(true);
    });
    return promise;
  }
}
