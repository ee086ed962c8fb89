import { Worker } from 'node:worker_threads';

/** In milliseconds: how often a reader shows that it runs, and how soon it ends with its server. */
const INTERVAL_MS = 500;

/** In milliseconds, enough for a busy machine: a reader silent for longer counts as stopped. */
export const SILENCE_MS = 2500;

export const SIGN_OF_LIFE = 4;

/**
 * In a worker thread, since statements block the main one. Writing fails with EPIPE once the
 * parent's files are closed, perhaps before its process id is gone.
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
