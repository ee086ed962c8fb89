import type { IncomingHttpHeaders } from 'node:http';

/** What is known of a request when its head has come. No header but its own reaches a trace. */
export interface RequestFacts {
  readonly id: string;
  readonly method: string;
  /** The pattern of the route; undefined where there is none. */
  readonly route: string | undefined;
  /** Without what follows a question mark. */
  readonly path: string;
  readonly scheme: string;
  /** Carries the `traceparent` of the caller. */
  readonly headers: IncomingHttpHeaders;
}

/** How a request ended: names and numbers, and no values. */
export interface ReplyFacts {
  /** Undefined where the client disconnected before its reply was out. */
  readonly status: number | undefined;
  /** The code of the problem that it met. */
  readonly problem: string | undefined;
  /** What was read; undefined where nothing was. */
  readonly read:
    | {
        readonly model: string | null;
        readonly page: number | null;
        readonly size: number | null;
        readonly rows: number;
      }
    | undefined;
}

/** The trace of one request. */
export interface RequestTrace {
  readonly traceId: string;
  /** Names the span of the request, for requests that are made on its behalf. */
  readonly traceparent: string;
  /** Runs work whose plans and statements belong to the trace. */
  run(work: () => void): void;
  end(reply: ReplyFacts): void;
}

/** Traces requests. */
export interface RequestTracing {
  start(request: RequestFacts): RequestTrace;
  /** Sends what waits to be sent, for a short while. */
  close(): Promise<void>;
}
