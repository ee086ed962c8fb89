const OUTPUTS = [process.stdout, process.stderr];

/**
 * Lets a command continue when the reader of its output has closed the pipe, as `| head` does. A
 * full disk still fails.
 *
 * @see https://nodejs.org/api/process.html#a-note-on-process-io
 */
export function tolerateClosedOutput(): void {
  for (const output of OUTPUTS) output.on('error', throwUnlessClosed);
}

/** Opening the streams also makes pipes non-blocking: a full one could block a thread for ever. */
export function tolerateBrokenOutput(): void {
  for (const output of OUTPUTS)
    output.off('error', throwUnlessClosed).off('error', ignore).on('error', ignore);
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function ignore(): void {}
