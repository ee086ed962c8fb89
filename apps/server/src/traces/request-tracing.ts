import type { IncomingHttpHeaders } from 'node:http';

import type { QueryFacts } from '@proj/fastify/host';

/** Known when the head has come. No header but `traceparent` reaches a trace. */
export interface RequestFacts {
  readonly id: string;
  readonly method: string;
  readonly route: string | undefined;
  /** Without the query string. */
  readonly path: string;
  readonly scheme: string;
  /** Carries the `traceparent` of the caller. */
  readonly headers: IncomingHttpHeaders;
}

/** Undefined where the client disconnected before its reply was out, or nothing was read. */
export interface ReplyFacts {
  readonly status: number | undefined;
  readonly problem: string | undefined;
  readonly read: QueryFacts | undefined;
}

export interface RequestTrace {
  readonly traceId: string;
  /** Names the span of the request, for requests on its behalf. */
  readonly traceparent: string;
  /** Runs work whose plans and statements belong to the trace. */
  run<Result>(work: () => Result): Result;
  end(reply: ReplyFacts): void;
}

export interface RequestTracing {
  start(request: RequestFacts): RequestTrace;
  /** Sends what waits, for a short while. */
  close(): Promise<void>;
}
