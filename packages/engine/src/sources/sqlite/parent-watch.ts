import { Worker } from 'node:worker_threads';

/** How soon a reader ends after its server, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Ends this process when its parent is gone. A thread of its own looks, because a statement that runs keeps the main thread from hearing
 * that the channel closed.
 */
export function endWithParent(): void {
  const look = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, ${INTERVAL_MS});`;
  new Worker(look, { eval: true }).unref();
}
