import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { freePort } from './free-port.ts';
import { hasPrograms } from './has-program.ts';

const run = promisify(execFile);

/** Nothing is written to disk. */
const SETTINGS = [
  '--bind',
  '127.0.0.1',
  '--save',
  '',
  '--appendonly',
  'no',
  '--repl-diskless-load',
  'swapdb',
  '--maxmemory',
  '64mb',
  '--daemonize',
  'no',
];

/** A Redis server that runs for the tests, and can be started again, empty, at the same address. */
export interface RedisServer {
  readonly url: string;
  /** The process that was started; tests may send it signals. */
  readonly pid: number;
  /** Runs one command through `redis-cli` and gives what it prints. */
  client(...command: string[]): Promise<string>;
  /** Ends the process, and with it the data. */
  halt(): Promise<void>;
  /** Starts the process again after {@link halt}. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether `startRedis` finds the programs that it needs, or has to: see {@link hasPrograms}. */
export function hasRedis(): boolean {
  return hasPrograms('redis-server', 'redis-cli');
}

/** Starts an empty Redis server. */
export async function startRedis(): Promise<RedisServer> {
  if (!hasRedis())
    throw new Error(
      'No Redis server was found. Install it; on Debian: apt-get install redis-server',
    );
  const server = new LocalRedis();
  await server.start();
  return server;
}

class LocalRedis implements RedisServer {
  #port = 0;
  #process: ChildProcess | undefined;
  #printed = '';
  readonly #cleanUp = (): void => {
    this.#process?.kill('SIGKILL');
  };

  constructor() {
    process.once('exit', this.#cleanUp);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}/0`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async client(...command: string[]): Promise<string> {
    const { stdout } = await run(
      'redis-cli',
      ['-h', '127.0.0.1', '-p', String(this.#port), ...command],
      { timeout: 10_000 },
    );
    return stdout.trimEnd();
  }

  /**
   * Starts the process at a free port; a port that somebody else took meanwhile costs another try.
   */
  async start(): Promise<void> {
    for (let left = 5; left > 0; left--) {
      this.#port = await freePort();
      if (await this.#launch()) return;
    }
    await this.stop();
    throw new Error(`redis-server did not start:\n${this.#printed}`);
  }

  async restart(): Promise<void> {
    await this.halt();
    if (!(await this.#launch()))
      throw new Error(`redis-server did not start again:\n${this.#printed}`);
  }

  async halt(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    // Nothing is lost with it; a test may have frozen it.
    child.kill('SIGKILL');
    await exit;
  }

  async stop(): Promise<void> {
    await this.halt();
    process.removeListener('exit', this.#cleanUp);
  }

  async #launch(): Promise<boolean> {
    const child = spawn('redis-server', ['--port', String(this.#port), ...SETTINGS], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    child.on('exit', () => resolve(false));
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      this.#printed += text;
      if (printed.includes('Ready to accept connections')) resolve(true);
    });
    return promise;
  }
}
