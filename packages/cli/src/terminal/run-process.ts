import { EXIT } from '../exit-code.ts';
import { Interruption } from '../failure.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs the command line of this process and sets its exit code.
 *
 * @param run runs the arguments, and returns the exit code
 */
export async function runProcess(
  run: (args: readonly string[], terminal: Terminal) => Promise<number>,
): Promise<void> {
  const controller = new AbortController();
  stopOn('SIGINT', EXIT.interrupted, controller);
  stopOn('SIGTERM', EXIT.terminated, controller);
  // Each write reports its own failure; without a listener the stream would end the process with a
  // stack.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    // It is opened by whoever reads it alone.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  });
}

/**
 * After the first signal the command finishes its part file and its state; a second one ends the
 * process at once.
 */
function stopOn(signal: NodeJS.Signals, exitCode: number, controller: AbortController): void {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(exitCode));
  });
}
