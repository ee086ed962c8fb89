import { Counter, Gauge, type Registry } from 'prom-client';

/** Something that takes lines, and may not be able to. */
interface Lines {
  readonly dropped: number;
  readonly failure: Error | undefined;
}

interface Outputs {
  readonly log: Lines;
  /** Undefined where there is no audit. */
  readonly audit: Lines | undefined;
}

/** Adds what became of log lines and audit lines. */
export function addLineMetrics({ log, audit }: Outputs, registry: Registry): void {
  const outputs = Object.entries({ log, ...(audit && { audit }) });
  registry.registerMetric(droppedLines(outputs));
  registry.registerMetric(failingOutputs(outputs));
}

type NamedLines = readonly (readonly [output: string, lines: Lines])[];

function droppedLines(outputs: NamedLines): Counter {
  return new Counter({
    name: 'dynamic_query_lines_dropped_total',
    help: 'Lines of the log and of the audit that were dropped because they could not be written.',
    labelNames: ['output'],
    registers: [],
    collect() {
      this.reset();
      for (const [output, { dropped }] of outputs) this.inc({ output }, dropped);
    },
  });
}

function failingOutputs(outputs: NamedLines): Gauge {
  return new Gauge({
    name: 'dynamic_query_lines_failing',
    help: 'Whether lines of the log and of the audit cannot be written: 1 if so.',
    labelNames: ['output'],
    aggregator: 'max',
    registers: [],
    collect() {
      for (const [output, { failure }] of outputs)
        this.set({ output }, failure === undefined ? 0 : 1);
    },
  });
}
