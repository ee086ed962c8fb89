/**
 * Goes on where nobody reads what is printed any more, as after `| head`: that is no failure of the
 * command, and none of a service.
 *
 * @see https://nodejs.org/api/process.html#a-note-on-process-io
 */
export function allowClosedOutput(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
