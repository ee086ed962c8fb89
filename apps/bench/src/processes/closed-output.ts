/** What a shell reports of a program that SIGPIPE ended. */
const OUTPUT_CLOSED = 141;

/**
 * Ends this process, and with it what it has started, when nobody reads on what it prints, as after
 * `head`.
 */
export function endWithoutReader(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(OUTPUT_CLOSED);
    });
  }
}
