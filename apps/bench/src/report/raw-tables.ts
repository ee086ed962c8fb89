import { type Scenario, scenarioLabel } from '../scenarios.ts';
import { SUBJECT_LABELS } from '../subjects/subject.ts';
import {
  databasesOf,
  groupByScenario,
  latencyRatio,
  rateRatio,
  type ScenarioGroup,
} from './compare.ts';
import { formatRatio } from './format.ts';
import { markdownTable } from './markdown-table.ts';
import { rawPage, type RawTable } from './raw-table.ts';
import type { Results } from './results.ts';
import { trialTable } from './trial-table.ts';

/** The pages beside the report: the ratios of each scenario, and what was read under writes. */
export function rawTables(results: Results): RawTable[] {
  const groups = groupByScenario(results.measurements);
  return [ratios(groups), ...(results.trials.length === 0 ? [] : [trialTable(results.trials)])];
}

/** Requests that were not answered with 200, and writes that failed; empty where there are none. */
export function failureTables({ measurements, writes }: Results): string[] {
  const bad = failureRows(groupByScenario(measurements));
  const failed = writes
    .filter((written) => written.failed > 0)
    .map((written) => [fullLabel(written.scenario), String(written.failed)]);
  return [
    ...(bad.length === 0
      ? []
      : [markdownTable(['scenario', 'subject', 'good', 'other status', 'no reply'], bad, 2)]),
    ...(failed.length === 0 ? [] : [markdownTable(['scenario', 'failed writes'], failed)]),
  ];
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
