import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { until } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

const DONE = '@@ the command has ended @@';

/** A shell in which one command follows the other, as in a reader's terminal. */
export class Terminal {
  readonly #shell: ChildProcess;
  #printed = '';

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    // A process group of its own, so that what runs in the shell ends with it.
    this.#shell = spawn('bash', ['--norc'], { cwd: folder, env, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#printed += String(chunk)));
    onTestFinished(async () => this.close());
  }

  /** Runs a command to its end and returns what it printed. */
  async run(command: string): Promise<string> {
    this.#printed = '';
    this.#write(`${command}\nprintf '${DONE}\\n'`);
    await until(() => this.#printed.includes(DONE));
    return this.#printed.replace(`${DONE}\n`, '');
  }

  /** Starts a command that does not end by itself, and waits until it has printed what is expected. */
  async start(command: string, expected: RegExp): Promise<void> {
    this.#printed = '';
    this.#write(`exec ${command}`);
    const isOver = (): boolean => this.#shell.exitCode !== null;
    await until(() => expected.test(this.#printed) || isOver());
    if (isOver()) throw new Error(`It has ended: ${command}\n${this.#printed}`);
  }

  async close(): Promise<void> {
    const { pid, exitCode } = this.#shell;
    if (pid === undefined || exitCode !== null) return;
    const exit = once(this.#shell, 'exit');
    process.kill(-pid, 'SIGKILL');
    await exit;
  }

  #write(line: string): void {
    this.#shell.stdin?.write(`${line}\n`);
  }
}
