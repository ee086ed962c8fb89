import type { Engine } from '@proj/engine';

import type { OpenDatabases } from '../src/served/served-databases.ts';

/** One sample of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Numbers are what Go's ParseFloat takes, in any letter case. */
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (nan|[+-]?inf|[-+.\de]+)$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

/**
 * Reads the text format strictly: every sample belongs to a metric with one HELP and one TYPE
 * before it.
 */
export function readMetrics(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line is not ended.');
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, metric = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === undefined) {
      samples.push(readSample(line, types));
      continue;
    }
    if (kind === 'HELP' ? helped.has(metric) : types.has(metric))
      throw new Error(`A second ${kind} of ${metric}.`);
    if (kind === 'HELP') helped.add(metric);
    else types.set(metric, rest);
  }
  for (const name of types.keys()) if (!helped.has(name)) throw new Error(`${name} has no help.`);
  return samples;
}

function readSample(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
  if (name === '') throw new Error(`This is no sample: ${line}`);
  const family = name.replace(/_(bucket|sum|count)$/, '');
  if (!types.has(name) && types.get(family) !== 'histogram' && types.get(family) !== 'summary') {
    throw new Error(`${name} has no type.`);
  }
  return { name, labels: readLabels(labels), value: Number(value.replace(/inf/i, 'Infinity')) };
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '') throw new Error(`These are no labels: ${text}`);
    labels[name] = value;
  }
  return labels;
}

/**
 * The value of the one sample that has this name and these labels; undefined where there is none.
 */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter((sample) => {
    return (
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    );
  });
  if (found.length > 1) throw new Error(`${name} is there ${found.length} times.`);
  return found[0]?.value;
}

/** The one database of a service, as its metrics see it. */
export function databaseOf(engine: Engine): OpenDatabases {
  const database = { name: undefined, engine };
  return { each: () => [database], onOpen: (listener) => listener(database) };
}
