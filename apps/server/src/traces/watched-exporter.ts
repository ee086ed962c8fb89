import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** Logs once when spans cannot be sent, and when they are again. */
export class WatchedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  #lost = 0;

  constructor(exporter: SpanExporter, log: Pick<Logger, 'info' | 'warn'>) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.#recover();
      else this.#fail(spans.length, result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  #fail(spans: number, error: Error | undefined): void {
    if (this.#lost === 0)
      this.#log.warn(
        { reason: error?.message },
        'traces cannot be sent to their collector: they are dropped until it takes them',
      );
    this.#lost += spans;
  }

  #recover(): void {
    if (this.#lost === 0) return;
    this.#log.info({ lost: this.#lost }, 'traces are sent to their collector again');
    this.#lost = 0;
  }
}
