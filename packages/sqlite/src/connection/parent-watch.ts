import { Worker } from 'node:worker_threads';

/** How soon a reader ends after its server, and how often it says that it runs, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * A reader that has sent no sign of life for so long, in milliseconds, counts as stopped. The limit
 * is long enough for a busy machine.
 */
export const SILENCE_MS = 2500;

/** The file descriptor over which a reader says that it runs. */
export const SIGN_OF_LIFE = 4;

/**
 * Ends this process when its parent has ended, and signals the parent that this process runs. A
 * worker thread does both, because a running statement blocks the main thread. Writing fails with
 * EPIPE as soon as the parent has closed its files, which may be before its process id is gone.
 */
export function watchParent(): void {
  const look = `
    const { writeSync } = require('node:fs');
    const end = () => process.kill(process.pid, 'SIGKILL');
    setInterval(() => {
      if (process.ppid !== ${process.ppid}) end();
      try {
        writeSync(${SIGN_OF_LIFE}, '.');
      } catch (error) {
        if (error.code !== 'EPIPE') throw error;
        end();
      }
    }, ${INTERVAL_MS});`;
  new Worker(look, { eval: true }).unref();
}
