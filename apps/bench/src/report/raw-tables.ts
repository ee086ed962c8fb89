import { type Scenario, scenarioLabel } from '../scenarios.ts';
import { SUBJECT_LABELS, SUBJECTS } from '../subjects/subject.ts';
import { groupByScenario, latencyRatio, rateRatio, type ScenarioGroup } from './compare.ts';
import { formatNumber, formatRatio } from './format.ts';
import { markdownTable } from './markdown-table.ts';
import { databasesOf } from './plots/plots.ts';
import { QUANTITIES, type Quantity } from './quantities.ts';
import { rawPage, type RawTable } from './raw-table.ts';
import type { Results } from './results.ts';
import { trialTable } from './trial-table.ts';

/** Every figure of a run: the ratios, one page for each quantity, and what went wrong. */
export function rawTables(results: Results): RawTable[] {
  const groups = groupByScenario(results.measurements);
  return [
    ratios(groups),
    ...QUANTITIES.map((quantity) => tableOfQuantity(quantity, groups)),
    failuresAndWrites(results, groups),
    ...(results.trials.length === 0 ? [] : [trialTable(results.trials)]),
  ];
}

/** How many measurements had a request that was not answered with 200. */
export function failureCount(groups: readonly ScenarioGroup[]): number {
  return failureRows(groups).length;
}

function ratios(groups: readonly ScenarioGroup[]): RawTable {
  return rawPage('ratios.md', 'Ratios', [
    [
      'Requests per second of the service, divided by those of the others in the same minute (more',
      'is better), and its median latency divided by theirs (less is better).',
    ].join('\n'),
    ...perDatabase(groups, ratioTable),
  ]);
}

function ratioTable(groups: readonly ScenarioGroup[]): string {
  const head = [
    'scenario',
    'rate ÷ baseline',
    'rate ÷ baseline + count',
    'rate ÷ static',
    'p50 ÷ baseline',
    'p50 ÷ baseline + count',
  ];
  const rows = groups.map((group) => [
    scenarioLabel(group.scenario),
    formatRatio(rateRatio(group, 'bare')),
    formatRatio(rateRatio(group, 'bare-count')),
    formatRatio(rateRatio(group, 'static')),
    formatRatio(latencyRatio(group, 'bare')),
    formatRatio(latencyRatio(group, 'bare-count')),
  ]);
  return markdownTable(head, rows);
}

function tableOfQuantity(
  { key, title, unit, note, value }: Quantity,
  groups: readonly ScenarioGroup[],
): RawTable {
  const head = ['scenario', ...SUBJECTS.map((name) => SUBJECT_LABELS[name])];
  const rowOf = ({ scenario, of }: ScenarioGroup): string[] => [
    scenarioLabel(scenario),
    ...SUBJECTS.map((name) => formatNumber(of[name] && value(of[name]))),
  ];
  return rawPage(`${key}.md`, title, [
    `In ${unit}. ${note}`,
    `![${title}](${key}.svg)`,
    ...perDatabase(groups, (own) => markdownTable(head, own.map(rowOf))),
  ]);
}

function failuresAndWrites({ writes }: Results, groups: readonly ScenarioGroup[]): RawTable {
  const bad = failureRows(groups);
  const written = writes.map(({ scenario, perSecond, failed }) => [
    fullLabel(scenario),
    formatNumber(perSecond),
    String(failed),
  ]);
  return rawPage('failures-and-writes.md', 'Failures and writes', [
    '## Requests without a good reply',
    bad.length === 0
      ? 'None: every request was answered with 200.'
      : markdownTable(['scenario', 'subject', 'good', 'other status', 'no reply'], bad, 2),
    '## Writes that really happened',
    written.length === 0
      ? 'Nothing was written beside the scenarios.'
      : markdownTable(['scenario', 'transactions/s', 'failed'], written),
  ]);
}

function failureRows(groups: readonly ScenarioGroup[]): string[][] {
  return groups.flatMap(({ scenario, of }) =>
    Object.values(of)
      .filter(({ refused, failed }) => refused + failed > 0)
      .map(({ subject, answered, refused, failed }) => [
        fullLabel(scenario),
        SUBJECT_LABELS[subject],
        ...[answered, refused, failed].map(String),
      ]),
  );
}

function perDatabase(
  groups: readonly ScenarioGroup[],
  table: (own: readonly ScenarioGroup[]) => string,
): string[] {
  return databasesOf(groups).flatMap((database) => [
    `## ${database}`,
    table(groups.filter(({ scenario }) => scenario.database === database)),
  ]);
}

function fullLabel(scenario: Scenario): string {
  return `${scenario.database}, ${scenarioLabel(scenario)}`;
}
