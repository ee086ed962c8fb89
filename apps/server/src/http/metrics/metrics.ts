import { endingStatus } from '../plugins/request-log.ts';
import type { Observer } from '../plugins/observers.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Counts every request until its reply is out or its client has disconnected. */
export function countRequests(metrics: ServiceMetrics): Observer {
  return (ask, { route }) => {
    metrics.requestStarted();
    ask.onEnd(() => {
      const { read, problem, cutBy, elapsedMs: milliseconds } = ask;
      metrics.requestEnded({
        route,
        status: endingStatus(ask),
        milliseconds,
        rows: read?.rows ?? 0,
        problem: problem ?? cutBy,
      });
    });
  };
}
