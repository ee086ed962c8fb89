import type { IncomingHttpHeaders } from 'node:http';

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

/** Names and numbers, no values. */
export interface ReplyFacts {
  /** Undefined where the client disconnected before its reply was out. */
  readonly status: number | undefined;
  readonly problem: string | undefined;
  /** Undefined where nothing was read. */
  readonly read:
    | {
        readonly model: string | null;
        readonly page: number | null;
        readonly size: number | null;
        readonly rows: number;
      }
    | undefined;
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
