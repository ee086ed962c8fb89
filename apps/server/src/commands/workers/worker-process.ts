/** A worker of `dynamic-query serve`, which the primary process starts. */
import { Socket } from 'node:net';

import { tolerateBrokenOutput } from '../../process/broken-output.ts';
import { hideSqliteWarning } from '../../process/sqlite-warning.ts';
import { runWorker } from './worker/worker.ts';

hideSqliteWarning();
tolerateBrokenOutput();
// Without the primary process a worker lacks shared limits and connections.
process.once('disconnect', () => process.exit(0));
runWorker({
  send: (message) => void (process.connected && process.send?.(message, () => undefined)),
  onMessage: (listener) =>
    void process.on('message', (message, connection) => {
      listener(message, connection instanceof Socket ? connection : undefined);
    }),
});
