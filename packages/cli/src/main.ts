#!/usr/bin/env node
import { EXIT } from './exit-code.ts';
import { Interruption } from './failure.ts';
import { run } from './run.ts';

const controller = new AbortController();

/**
 * The first signal lets the command put its part file in order; whoever sends a second one does not
 * want to wait.
 */
function stopOn(signal: NodeJS.Signals, exitCode: number): void {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(exitCode));
  });
}

stopOn('SIGINT', EXIT.interrupted);
stopOn('SIGTERM', EXIT.terminated);
// Each write reports its own failure; without a listener the stream would end the process with a
// stack.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
});
