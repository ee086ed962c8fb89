import { type Command, CommanderError } from 'commander';

import { EXIT, FailedError, Interruption, OutdatedError, UsageError } from './failure.ts';
import { explain } from './explain.ts';
import { printable } from './output/printable.ts';
import { buildProgram } from './program.ts';
import { put, Secrets, type Session, type Terminal } from './terminal/terminal.ts';

/** @returns the exit code; errors are written to `stderr` */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(buildProgram, args, terminal);
}

/** As {@link run}, for another program. */
export async function runProgram(
  build: (session: Session) => Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const secrets = new Secrets();
  const program = build({ terminal, secrets });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const { message, exitCode } = outcomeOf(error, terminal.signal);
    if (message !== '')
      await put(
        terminal.stderr,
        `${program.name()}: ${secrets.hide(printableMessage(message))}\n`,
      ).catch(() => undefined);
    return exitCode;
  }
}

interface Outcome {
  /** Empty where the user has seen it. */
  readonly message: string;
  readonly exitCode: number;
}

function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  // The error says what a later run can continue; its cause, why this one ended.
  const [cause, left] =
    error instanceof FailedError && error.cause
      ? [error.cause, ` ${error.message}`.trimEnd()]
      : [error, ''];
  if (signal.reason instanceof Interruption)
    return { message: `interrupted.${left}`, exitCode: signal.reason.exitCode };
  if (cause instanceof CommanderError)
    return { message: '', exitCode: cause.exitCode === 0 ? EXIT.ok : EXIT.usage };
  if (cause instanceof UsageError) return { message: cause.message, exitCode: EXIT.usage };
  if (cause instanceof OutdatedError) return { message: cause.message, exitCode: EXIT.outdated };
  if (cause instanceof Error && 'code' in cause && cause.code === 'EPIPE')
    return { message: '', exitCode: EXIT.outputClosed };
  const message = explain(cause);
  return {
    message: left === '' ? message : message.replace(/\.?$/, '.') + left,
    exitCode: EXIT.failed,
  };
}

/** Escapes controls that a server may send; keeps our line breaks. */
function printableMessage(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
