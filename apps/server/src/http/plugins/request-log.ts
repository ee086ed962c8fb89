import { PROBLEMS } from '@proj/contract';
import type { Ask } from '@proj/fastify/host';

import type { Observer } from './observers.ts';
import { traceOf } from './tracing.ts';

/** Never sent; by convention, the connection closed before the reply was sent. */
const CLIENT_DISCONNECTED = 499;

/** Logs one line without bodies or headers. */
export const logRequest: Observer = (ask, { route, isProbe }) =>
  ask.onEnd(() => {
    const { method, log, cutBy } = ask;
    const status = endingStatus(ask);
    const trace = traceOf(ask);
    const level = isProbe === true && status < 400 ? 'debug' : 'info';
    const ms = Math.round(ask.elapsedMs);
    const ending = status === CLIENT_DISCONNECTED ? 'client disconnected' : 'answered';
    log[level](
      { method, route, status, ms, ...(trace && { trace_id: trace.traceId }) },
      cutBy === undefined ? ending : 'cut',
    );
  });

/** The status, or why the last byte was never sent. */
export function endingStatus({ isWritten, status, cutBy }: Ask): number {
  if (isWritten) return status;
  return cutBy === undefined ? CLIENT_DISCONNECTED : PROBLEMS[cutBy].status;
}
