import { CommanderError } from 'commander';

import { UnprovedError } from './checks/unproved-error.ts';
import { program } from './commands/program.ts';
import { UsageError } from './settings/file/usage-error.ts';

/** THE table of exit codes of the operator's command; they mean what those of `dq` mean. */
const EXIT = {
  ok: 0,
  /** Database or server failed, settings do not fit it, or a file or port could not be opened. */
  failed: 1,
  /** The command line, environment or settings file is wrong; no request was sent. */
  usage: 2,
  /** `check --prove-state` proves nothing. */
  unproved: 3,
} as const;

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How the operator starts a command, for messages. Default: `dynamic-query`. */
  readonly command?: string;
}

/** @returns the exit code, or undefined while a server keeps the process alive */
export async function run({ args, env, command }: Invocation): Promise<number | undefined> {
  try {
    await program(env, args, command).parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { operatorMessage } = await import('./process/operator-message.ts');
    if (error instanceof UnprovedError) {
      process.stderr.write(`dynamic-query: ${error.message}\n`);
      return EXIT.unproved;
    }
    const message = operatorMessage(error);
    if (message === undefined) throw error;
    process.stderr.write(`dynamic-query: ${message}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
