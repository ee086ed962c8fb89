import type { Distribution } from './distribution.ts';
import type { Metrics } from './measure.ts';

/** The metrics of one revision: of its source files and of its test files. */
export interface RevisionMetrics {
  readonly revision: string;
  readonly sources: Metrics;
  readonly tests: Metrics;
}

const NUMBER = new Intl.NumberFormat('en');

const ROWS: readonly (readonly [title: string, figure: (metrics: Metrics) => string])[] = [
  ['files', ({ files }) => count(files)],
  ['lines', ({ lines }) => count(lines)],
  ['lines of a file: median / p95 / max', ({ fileLines }) => spread(fileLines)],
  ['named functions', ({ functions }) => count(functions)],
  ['lines of a function: median / p95 / max', ({ functionLines }) => spread(functionLines)],
  ['parameters: p95 / max', ({ parameters: { p95, max } }) => `${p95} / ${max}`],
  [
    'functions of more than three parameters',
    ({ functionsOverThreeParameters }) => count(functionsOverThreeParameters),
  ],
  ['nesting: p95 / max', ({ nesting: { p95, max } }) => `${p95} / ${max}`],
  ['casts (`as` but `as const`, `!`)', ({ casts }) => count(casts)],
  ['lines over 100 columns', ({ linesOverWidth }) => count(linesOverWidth)],
  ['import cycles, types included', ({ cycles }) => count(cycles)],
  ['pairs of six or more equal lines', (metrics) => count(metrics.duplicatedPairs)],
];

/** Tables in Markdown, the revisions side by side. */
export function reportOf(revisions: readonly RevisionMetrics[]): string {
  const names = revisions.map(({ revision }) => revision);
  return `## Source files

${table(
  names,
  revisions.map(({ sources }) => sources),
)}

## Test files

${table(
  names,
  revisions.map(({ tests }) => tests),
)}
`;
}

function table(names: readonly string[], columns: readonly Metrics[]): string {
  return [
    ['', ...names],
    ['---', ...names.map(() => '---:')],
    ...ROWS.map(([title, figure]) => [title, ...columns.map(figure)]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function count(value: number): string {
  return NUMBER.format(value);
}

function spread({ median, p95, max }: Distribution): string {
  return [median, p95, max].map(count).join(' / ');
}
