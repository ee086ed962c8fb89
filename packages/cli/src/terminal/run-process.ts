import { EXIT, Interruption } from '../failure.ts';
import type { Terminal } from './terminal.ts';

/** @param run runs the arguments, and returns the exit code */
export async function runProcess(
  run: (args: readonly string[], terminal: Terminal) => Promise<number>,
): Promise<void> {
  const controller = new AbortController();
  stopOn('SIGINT', EXIT.interrupted, controller);
  stopOn('SIGTERM', EXIT.terminated, controller);
  // Each write reports its own failure; without a listener the process would crash.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    // Opened by its only reader.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  });
}

/** After the first signal the command saves its part file and state; a second one kills it. */
function stopOn(signal: NodeJS.Signals, exitCode: number, controller: AbortController): void {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(exitCode));
  });
}
