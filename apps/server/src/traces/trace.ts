import { type Context, type Span, trace } from '@opentelemetry/api';

/** A trace that is recorded: its outermost span, and what is found out about it meanwhile. */
export class Trace {
  readonly span: Span;
  /** The parent of what happens within. */
  readonly context: Context;
  /** The mechanisms that served, in the order in which they did. */
  readonly answeredBy = new Set<string>();
  /**
   * All spans of the trace use one origin, so that they stay consistent if the system clock is
   * changed.
   */
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
   * Whether something that began at this moment belongs to the trace. A connection that was opened
   * for a request keeps the async context of that request, also for later work.
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
