import { type ChildProcess, execFile, type PromiseWithChild, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeDataDirectory } from './data-template.ts';
import { freePort } from './free-port.ts';
import { hasPrograms, SERVER_PATH } from './has-program.ts';
import type { TestServer } from './test-server.ts';

const run = promisify(execFile);

const PROGRAMS = ['mariadbd', 'mariadb-install-db', 'mariadb'] as const;
type Program = (typeof PROGRAMS)[number];

/** Small and fast; a test's data need not survive a power cut. */
const SETTINGS = [
  'skip-name-resolve',
  'skip-slave-start',
  'max-connections=30',
  'innodb-buffer-pool-size=16M',
  'innodb-log-file-size=8M',
  'innodb-flush-log-at-trx-commit=0',
  'innodb-flush-method=nosync',
  'innodb-doublewrite=0',
  'key-buffer-size=1M',
  'aria-pagecache-buffer-size=2M',
  'performance-schema=off',
  'character-set-server=utf8mb4',
  'general-log=on',
];

/** A MariaDB server that can be started again over the same data, at the same address. */
export interface MariadbServer extends TestServer {
  /** @param database Default: `test`. */
  client(sql: string, database?: string): Promise<string>;
  /** Starts the process again after a test has ended it. */
  restart(): Promise<void>;
  /**
   * Starts a server that applies what is written to this one, which needs the setting `log-bin`, in
   * several threads that run ahead of each other.
   */
  startReplica(): Promise<MariadbServer>;
}

/** How a MariaDB server differs from the ordinary one. */
export interface MariadbOptions {
  /** Options of mariadbd without their dashes, such as `log-bin`. */
  readonly settings?: readonly string[];
  /** What lies in the folder of its data when it starts for the first time, by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Environment variables of mariadbd beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Whether `startMariadb` finds the programs that it needs, or has to: see {@link hasPrograms}. */
export function hasMariadb(): boolean {
  return hasPrograms(...PROGRAMS);
}

/** Starts a MariaDB server over new data, with a database named `test`. */
export async function startMariadb({
  settings = [],
  files = {},
  environment = {},
}: MariadbOptions = {}): Promise<MariadbServer> {
  if (!hasMariadb()) {
    throw new Error(
      'No MariaDB server was found. Install it; on Debian: ' +
        'apt-get install mariadb-server mariadb-client',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-mariadb-'));
  const server = new Mariadb(folder, { settings: [...SETTINGS, ...settings], environment });
  try {
    await server.install(files);
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class Mariadb implements MariadbServer {
  readonly directory: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #port = 0;
  #process: ChildProcess | undefined;
  #printed = '';
  /** A worker of vitest has half a second for it. The folder goes with that of the run. */
  readonly #cleanUp = (): void => {
    this.#process?.kill('SIGKILL');
  };

  constructor(
    folder: string,
    { settings, environment }: Required<Pick<MariadbOptions, 'settings' | 'environment'>>,
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.#environment = environment;
    this.directory = join(folder, 'data');
    process.once('exit', this.#cleanUp);
  }

  get url(): string {
    return `mysql://root@127.0.0.1:${this.#port}/test`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async install(files: Readonly<Record<string, string>>): Promise<void> {
    // The server gives up root's rights, and must still reach its data.
    await chmod(this.#folder, 0o755);
    await mkdir(this.#temporary);
    await chmod(this.#temporary, 0o777);
    await makeDataDirectory('mariadb', this.directory, async (directory) =>
      this.#initialize(directory),
    );
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.directory, name);
      await writeFile(file, content);
      await chmod(file, 0o666);
    }
  }

  async #initialize(directory: string): Promise<void> {
    const script = join(this.#folder, 'install.sql');
    await writeFile(
      script,
      'create database test character set utf8mb4 collate utf8mb4_general_ci;\n',
    );
    const place = [
      '--no-defaults',
      `--datadir=${directory}`,
      `--tmpdir=${this.#temporary}`,
      ...asUser(),
    ];
    // The installer's own database `test` is open to everybody.
    const content = [
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
      `--extra-file=${script}`,
    ];
    const speed = [
      '--innodb-log-file-size=8M',
      '--innodb-flush-method=nosync',
      '--innodb-flush-log-at-trx-commit=0',
    ];
    await execute('mariadb-install-db', [...place, ...content, ...speed]);
  }

  /**
   * Starts the process at a free port; a port that somebody else took meanwhile costs another try.
   */
  async start(): Promise<void> {
    for (let left = 5; left > 0; left--) {
      this.#port = await freePort();
      if (await this.#launch()) return;
    }
    throw new Error(`mariadbd did not start:\n${this.#printed}`);
  }

  async restart(): Promise<void> {
    await this.#end();
    if (!(await this.#launch())) throw new Error(`mariadbd did not start again:\n${this.#printed}`);
  }

  async startReplica(): Promise<MariadbServer> {
    const settings = ['server-id=2', 'slave-parallel-threads=4', 'slave-parallel-mode=optimistic'];
    const replica = await startMariadb({ settings });
    await replica.client(`
      change master to master_host = '127.0.0.1', master_port = ${this.#port},
        master_user = 'root', master_use_gtid = slave_pos;
      start slave`);
    return replica;
  }

  async log(): Promise<string> {
    return `${this.#printed}${await readFile(join(this.directory, 'general.log'), 'utf8')}`;
  }

  async client(sql: string, database = 'test'): Promise<string> {
    const login = ['--no-defaults', '--protocol=socket', `--socket=${this.#socket}`, '--user=root'];
    const output = ['--batch', '--raw', '--skip-column-names', '--default-character-set=utf8mb4'];
    const child = execute('mariadb', [...login, ...output, database]);
    child.child.stdin?.end(sql);
    return (await child).stdout.trimEnd();
  }

  async stop(): Promise<void> {
    await this.#end();
    process.removeListener('exit', this.#cleanUp);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * A server that starts removes the temporary tables of all others that share its folder for them.
   */
  get #temporary(): string {
    return join(this.#folder, 'tmp');
  }

  get #socket(): string {
    return join(this.directory, 'server.sock');
  }

  async #launch(): Promise<boolean> {
    const place = [
      `--datadir=${this.directory}`,
      `--socket=${this.#socket}`,
      `--pid-file=${join(this.directory, 'server.pid')}`,
    ];
    const address = ['--bind-address=127.0.0.1', `--port=${this.#port}`];
    const files = [
      `--tmpdir=${this.#temporary}`,
      `--general-log-file=${join(this.directory, 'general.log')}`,
    ];
    const options = [
      ...place,
      ...address,
      ...files,
      ...this.#settings.map((setting) => `--${setting}`),
    ];
    const child = spawn('mariadbd', ['--no-defaults', ...asUser(), ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: SERVER_PATH, ...this.#environment },
    });
    this.#process = child;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    child.on('exit', () => resolve(false));
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      this.#printed += text;
      if (printed.includes('ready for connections')) resolve(true);
    });
    return promise;
  }

  async #end(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    // A test may have frozen it.
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exit;
    clearTimeout(timer);
  }
}

/** mariadbd refuses to run as root. */
function asUser(): string[] {
  return process.getuid?.() === 0 ? ['--user=mysql'] : [];
}

function execute(
  program: Program,
  parameters: readonly string[],
): PromiseWithChild<{ stdout: string; stderr: string }> {
  return run(program, parameters, {
    env: { ...process.env, PATH: SERVER_PATH },
    maxBuffer: 2 ** 28,
  });
}
