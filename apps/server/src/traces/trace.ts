import { type Context, type Span, trace } from '@opentelemetry/api';

/** A recorded trace: its outermost span, and facts found meanwhile. */
export class Trace {
  readonly span: Span;
  /** The parent of spans within. */
  readonly context: Context;
  /** The mechanisms that served, in order. */
  readonly answeredBy = new Set<string>();
  /** One origin keeps all spans consistent if the system clock changes. */
  readonly #origin: number;
  #endedAt = Infinity;

  /** @param origin the time that `performance.now()` counts from, in milliseconds since 1970 */
  constructor(span: Span, parent: Context, origin: number) {
    this.span = span;
    this.context = trace.setSpan(parent, span);
    this.#origin = origin;
  }

  /** From `performance.now()` to milliseconds since 1970. */
  timeOf(moment: number): number {
    return this.#origin + moment;
  }

  /** A connection opened for a request keeps its async context, also for later work. */
  includes(moment: number): boolean {
    return moment <= this.#endedAt;
  }

  end(): void {
    this.#endedAt = performance.now();
    this.span.end(this.timeOf(this.#endedAt));
  }
}

/** The time that `performance.now()` counts from, by the current clock. */
export function clockOrigin(): number {
  return Date.now() - performance.now();
}
