import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeDataDirectory } from './data-template.ts';
import { freePort } from './free-port.ts';
import { SERVER_PATH } from './has-program.ts';
import { runMariadbSql } from './run-mariadb-sql.ts';
import type { TestServer } from './test-server.ts';

/** Small and fast; a test's data need not survive a power cut. */
const SETTINGS = [
  'skip-name-resolve',
  'max-connections=30',
  'innodb-buffer-pool-size=16M',
  'innodb-flush-log-at-trx-commit=0',
  'innodb-flush-method=nosync',
  'innodb-doublewrite=0',
  'key-buffer-size=1M',
  'performance-schema=off',
  'character-set-server=utf8mb4',
  'general-log=on',
];

/** A program of the family of MySQL. */
export interface Product {
  readonly name: 'mariadb' | 'mysql';
  readonly program: string;
  readonly settings: readonly string[];
  /** What runs once at the new server. */
  readonly sql?: string;
  /** Where a template of its data stays, for later runs too. */
  readonly templates?: string;
  /** Makes the folder of the data, and runs a file of SQL at the new server. */
  initialize(place: readonly string[], script: string): Promise<unknown>;
}

/** A MySQL or MariaDB server that can be started again over the same data, at the same address. */
export interface MysqlServer extends TestServer {
  /** @param database Default: `test`. */
  client(sql: string, database?: string): Promise<string>;
  /** Starts the process again after a test has ended it. */
  restart(): Promise<void>;
}

/** How a server differs from the ordinary one. */
export interface MysqlOptions {
  /** Options of the program without their dashes, such as `log-bin`. */
  readonly settings?: readonly string[];
  /** What lies in the folder of its data when it starts for the first time, by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Environment variables of the program beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server over new data, with a database named `test`. */
export class MysqlProcess implements MysqlServer {
  readonly directory: string;
  readonly #folder: string;
  readonly #product: Product;
  readonly #options: MysqlOptions;
  #port = 0;
  #process: ChildProcess | undefined;
  #printed = '';
  /** A worker of vitest has half a second for it. The folder goes with that of the run. */
  readonly #cleanUp = (): void => {
    this.#process?.kill('SIGKILL');
  };

  constructor(product: Product, options: MysqlOptions) {
    this.#product = product;
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), `dynamic-query-${product.name}-`));
    this.directory = join(this.#folder, 'data');
    process.once('exit', this.#cleanUp);
  }

  /** Makes the data and starts the program. */
  async begin(): Promise<void> {
    try {
      await this.#install();
      await this.#start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  get url(): string {
    return `mysql://root@127.0.0.1:${this.#port}/test`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async #install(): Promise<void> {
    // The server gives up root's rights, and must still reach its data.
    await chmod(this.#folder, 0o755);
    await mkdir(this.#temporary);
    await chmod(this.#temporary, 0o777);
    const { name, templates } = this.#product;
    const make = async (directory: string): Promise<void> => this.#initialize(directory);
    await makeDataDirectory(name, this.directory, make, templates);
    for (const [path, content] of Object.entries(this.#options.files ?? {})) {
      const file = join(this.directory, path);
      await writeFile(file, content);
      await chmod(file, 0o666);
    }
  }

  async #initialize(directory: string): Promise<void> {
    const script = join(this.#folder, 'install.sql');
    await writeFile(
      script,
      'create database test character set utf8mb4 collate utf8mb4_general_ci;\n' +
        (this.#product.sql ?? ''),
    );
    const place = [
      '--no-defaults',
      `--datadir=${directory}`,
      `--tmpdir=${this.#temporary}`,
      ...this.#asUser(),
    ];
    const speed = ['--innodb-flush-method=nosync', '--innodb-flush-log-at-trx-commit=0'];
    await this.#product.initialize([...place, ...speed], script);
  }

  /** Both refuse to run as root by accident; the account comes with the package of MariaDB. */
  #asUser(): string[] {
    if (process.getuid?.() !== 0) return [];
    return [`--user=${this.#product.name === 'mariadb' ? 'mysql' : 'root'}`];
  }

  /**
   * Starts the process at a free port; a port that somebody else took meanwhile costs another try.
   */
  async #start(): Promise<void> {
    for (let left = 5; left > 0; left--) {
      this.#port = await freePort();
      if (await this.#launch()) return;
    }
    throw new Error(`${this.#product.program} did not start:\n${this.#printed}`);
  }

  async restart(): Promise<void> {
    await this.#end();
    if (!(await this.#launch()))
      throw new Error(`${this.#product.program} did not start again:\n${this.#printed}`);
  }

  async log(): Promise<string> {
    return `${this.#printed}${await readFile(join(this.directory, 'general.log'), 'utf8')}`;
  }

  async client(sql: string, database = 'test'): Promise<string> {
    return runMariadbSql({ socketPath: this.#socket, database }, sql);
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
      ...[...SETTINGS, ...this.#product.settings, ...(this.#options.settings ?? [])].map(
        (setting) => `--${setting}`,
      ),
    ];
    const child = spawn(this.#product.program, ['--no-defaults', ...this.#asUser(), ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: SERVER_PATH, ...this.#options.environment },
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
    // One that hangs is killed.
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exit;
    clearTimeout(timer);
  }
}
