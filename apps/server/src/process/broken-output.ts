const OUTPUTS = [process.stdout, process.stderr];

/**
 * Lets a command go on where nobody reads what is printed any more, as after `| head`. That is no
 * failure of the command; a full disk is one.
 *
 * @see https://nodejs.org/api/process.html#a-note-on-process-io
 */
export function tolerateClosedOutput(): void {
  for (const output of OUTPUTS) output.on('error', throwUnlessClosed);
}

/**
 * Lets a service go on, whatever keeps standard output or standard error from taking its lines.
 * To open the streams makes pipes non-blocking, too: a write to a full one would else hold a thread
 * for good.
 */
export function tolerateBrokenOutput(): void {
  for (const output of OUTPUTS)
    output.off('error', throwUnlessClosed).off('error', ignore).on('error', ignore);
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function ignore(): void {}
