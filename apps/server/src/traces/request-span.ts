import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

import type { CurrentTrace, EngineSpans } from './engine-spans.ts';
import type { ReplyFacts, RequestFacts, RequestTrace } from './request-tracing.ts';
import { clockOrigin, Trace } from './trace.ts';

/** Other methods are whatever a caller has sent. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'QUERY']);

const propagator = new W3CTraceContextPropagator();

interface SpanParts {
  readonly tracer: Tracer;
  readonly current: CurrentTrace;
  /** For what the engine does for a recorded request. */
  readonly spans: Pick<EngineSpans, 'begin' | 'end'>;
}

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
export function startRequest(
  request: RequestFacts,
  { tracer, current, spans }: SpanParts,
): RequestTrace {
  const { method, route, path, scheme, headers, id } = request;
  const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  const isKnown = METHODS.has(method);
  const name = isKnown ? method : 'HTTP';
  const origin = clockOrigin();
  const attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.route': route,
    // An unknown path may hold anything.
    'url.path': route === undefined ? undefined : path,
    'url.scheme': scheme,
    'dynamic_query.request_id': id,
  };
  const span = tracer.startSpan(
    route === undefined ? name : `${name} ${route}`,
    { kind: SpanKind.SERVER, attributes, startTime: origin + performance.now() },
    parent,
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags}`;
  const names = { traceId, traceparent };
  if (!span.isRecording()) return { ...names, run: (work) => work(), end: () => undefined };
  const trace = new Trace(span, parent, origin);
  spans.begin();
  return {
    ...names,
    run: (work) => current.run(trace, work),
    end: (reply) => {
      endRequest(trace, reply);
      spans.end();
    },
  };
}

function endRequest(trace: Trace, { status, problem, read }: ReplyFacts): void {
  const { span, answeredBy } = trace;
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (problem !== undefined) span.setAttribute('dynamic_query.problem', problem);
  if (status === undefined) span.setAttribute('error.type', 'client_disconnected');
  if (status !== undefined && status >= 500) {
    span.setAttribute('error.type', problem ?? String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  if (read !== undefined)
    span.setAttributes({
      'dynamic_query.model': read.model ?? undefined,
      'dynamic_query.page': read.page ?? undefined,
      'dynamic_query.size': read.size ?? undefined,
      'dynamic_query.rows': read.rows,
      'dynamic_query.answered_by': answeredBy.size === 0 ? ['database'] : [...answeredBy],
    });
  trace.end();
}
