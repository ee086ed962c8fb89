/** A worker of `dynamic-query serve`, which the primary process starts. */
import { tolerateBrokenOutput } from '../../broken-output.ts';
import { hideSqliteWarning } from '../../sqlite-warning.ts';
import { runWorker } from './worker.ts';

hideSqliteWarning();
tolerateBrokenOutput();
runWorker({
  // The primary process may be gone, which ends this one.
  send: (message) => void (process.connected && process.send?.(message, () => undefined)),
  onMessage: (listener) => void process.on('message', listener),
});
