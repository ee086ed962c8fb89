import { type Ask, Attached } from '@proj/fastify/host';
import type { FastifyRequest } from 'fastify';

import type { RequestTrace, RequestTracing } from '../../traces/request-tracing.ts';
import type { Observer } from './observers.ts';

const TRACES = new Attached<Ask, RequestTrace>();

/** Undefined where a request is not traced. */
export function traceOf(ask: Ask): RequestTrace | undefined {
  return TRACES.get(ask);
}

/** Not for probes. */
export function traceRequests(tracing: RequestTracing): Observer {
  return (ask, { route, isProbe }) => {
    if (isProbe === true) return;
    const { id, method, path } = ask;
    const { protocol: scheme } = ask.origin as FastifyRequest;
    const names = ['traceparent', 'tracestate'].map((name) => [name, ask.header(name)] as const);
    const headers = Object.fromEntries(names);
    const trace = tracing.start({ id, method, path, scheme, headers, route });
    TRACES.set(ask, trace);
    ask.onEnd(() => {
      const { isWritten, status, problem, read } = ask;
      trace.end({ status: isWritten ? status : undefined, problem, read });
    });
  };
}
