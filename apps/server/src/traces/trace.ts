import { type Context, type Span, trace } from '@opentelemetry/api';

/** A trace that is recorded: its outermost span, and what is found out about it meanwhile. */
export class Trace {
  readonly span: Span;
  /** The parent of what happens within. */
  readonly context: Context;
  /** The mechanisms that served, in the order in which they did. */
  readonly answeredBy = new Set<string>();
  /** One for all spans, so that they fit each other whatever becomes of the clock. */
  readonly #origin: number;
  #endedAt = Infinity;

  /** @param origin the time that `performance.now()` counts from, in milliseconds since 1970 */
  constructor(span: Span, parent: Context, origin: number) {
    this.span = span;
    this.context = trace.setSpan(parent, span);
    this.#origin = origin;
  }

  /** The time of a moment of `performance.now()`, in milliseconds since 1970. */
  timeOf(moment: number): number {
    return this.#origin + moment;
  }

  /**
   * Whether something that began then is of the trace. What is opened for a request, such as a
   * connection, keeps its context.
   */
  includes(moment: number): boolean {
    return moment <= this.#endedAt;
  }

  end(): void {
    this.#endedAt = performance.now();
    this.span.end(this.timeOf(this.#endedAt));
  }
}

/** The time that `performance.now()` counts from, by the clock as it is set now. */
export function clockOrigin(): number {
  return Date.now() - performance.now();
}
