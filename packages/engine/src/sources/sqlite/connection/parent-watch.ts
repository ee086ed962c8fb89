import { Worker } from 'node:worker_threads';

/** How soon a reader ends after its server, and how often it says that it runs, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * A reader that has said nothing for so long does not run, in milliseconds, however busy the
 * machine is.
 */
export const SILENCE_MS = 2500;

/** The file descriptor over which a reader says that it runs. */
export const SIGN_OF_LIFE = 4;

/**
 * Ends this process when its parent has ended, and signals the parent that this process runs. A
 * thread of its own does so, because a statement that runs keeps the main thread from it. A parent
 * that ends closes its files before it is gone.
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
