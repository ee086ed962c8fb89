import { referenceRows, type Scenario, scenarioLabel } from '../scenarios.ts';
import { SUBJECT_LABELS, SUBJECTS } from '../subjects/subject.ts';
import { groupByScenario, latencyRatio, rateRatio, type ScenarioGroup } from './compare.ts';
import { formatNumber, formatRatio } from './format.ts';
import { type Goal, goalsOf, isReached } from './goals.ts';
import { markdownTable } from './markdown-table.ts';
import { databasesOf, GROWTH_PLOT } from './plots.ts';
import { QUANTITIES } from './quantities.ts';
import type { Results } from './results.ts';

/** The whole document; the prose is put in as it is. */
export function renderReport(results: Results, prose: string): string {
  const groups = groupByScenario(results.measurements);
  return [
    '# Performance',
    introduction(results),
    prose,
    '## Goals',
    'Ratios within this run. A dash: not measured.',
    goalTable(results, groups),
    '## Ratios',
    'Requests per second of the service, divided by those of the others in the same minute (more is better), and its median latency divided by theirs (less is better).',
    ...perDatabase(groups, ratioTable),
    '## Growth with the table',
    `![Growth of the median latency](performance/${GROWTH_PLOT})`,
    ...QUANTITIES.flatMap(({ key, title, unit, note, value }) => [
      `## ${title}`,
      `In ${unit}. ${note}`,
      `![${title}](performance/${key}.svg)`,
      ...perDatabase(groups, (own) => {
        const rows = own.map(({ scenario, of }) => [
          scenarioLabel(scenario),
          ...SUBJECTS.map((name) => formatNumber(of[name] && value(of[name]))),
        ]);
        return markdownTable(['scenario', ...SUBJECTS.map((name) => SUBJECT_LABELS[name])], rows);
      }),
    ]),
    ...extras(results),
    ...faults(results, groups),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function introduction({ facts, connections, seconds }: Results): string {
  const memory = formatNumber(facts.memoryBytes / 2 ** 30);
  return [
    `Written by \`${facts.command}\` on ${facts.date} UTC: ${facts.cores} cores of ${facts.processor}, ${memory} GiB of memory, Node ${facts.node}, ${facts.databases.join(', ')}.`,
    `Load and servers share these cores, so that ratios tell more than rates. Each subject was measured with ${connections} connections for ${seconds} s in each scenario, in rounds that take turns; one that is too slow for that answered ${connections} requests instead. Before that its replies were compared with the database's own answer.`,
    '- the service: token, validation, exact total; its defaults, with its log sent nowhere\n- bare route: Fastify and the driver (16 connections), the same statement with `limit` and `offset`; no token, no validation, no total\n- bare route + count: the same with `count(*)` in every request\n- static reply: a Fastify route that sends the bytes of the service’s reply\n- database’s tool: pgbench with prepared statements, mariadb-slap, or a loop over node:sqlite, on the statement of the bare route',
  ].join('\n\n');
}

function goalTable(results: Results, groups: readonly ScenarioGroup[]): string {
  const databases = databasesOf(groups);
  const columns = databases.map((database) => goalsOf(results, database));
  const names = [...new Set(columns.flat().map(({ name }) => name))];
  const rows = names.map((name) => {
    const goals = columns.map((column) => column.find((goal) => goal.name === name));
    const [known] = goals.filter((goal) => goal !== undefined);
    return [name, known === undefined ? '' : boundText(known), ...goals.map(goalText)];
  });
  return markdownTable(['goal', 'wanted', ...databases], rows, 2);
}

function boundText({ bound }: Goal): string {
  return 'least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most}`;
}

function goalText(goal: Goal | undefined): string {
  const reached = goal && isReached(goal);
  return goal === undefined || reached === undefined
    ? '–'
    : `${formatNumber(goal.value)} ${reached ? 'yes' : 'no'}`;
}

function ratioTable(groups: readonly ScenarioGroup[]): string {
  const rows = groups.map((group) => [
    scenarioLabel(group.scenario),
    formatRatio(rateRatio(group, 'bare')),
    formatRatio(rateRatio(group, 'bare-count')),
    formatRatio(rateRatio(group, 'static')),
    formatRatio(latencyRatio(group, 'bare')),
    formatRatio(latencyRatio(group, 'bare-count')),
  ]);
  return markdownTable(
    [
      'scenario',
      'rate ÷ bare',
      'rate ÷ bare + count',
      'rate ÷ static',
      'p50 ÷ bare',
      'p50 ÷ bare + count',
    ],
    rows,
  );
}

function perDatabase(
  groups: readonly ScenarioGroup[],
  table: (own: readonly ScenarioGroup[]) => string,
): string[] {
  return databasesOf(groups).flatMap((database) => [
    `### ${database}`,
    table(groups.filter(({ scenario }) => scenario.database === database)),
  ]);
}

function extras({ coldStarts, fullReads, measurements }: Results): string[] {
  const rows = referenceRows([...new Set(measurements.map(({ scenario }) => scenario.rows))]);
  const cold = coldStarts.map((start) => [
    `${start.database}, ${start.rows.toLocaleString('en-US')} rows, ${start.depth} page`,
    formatNumber(start.service),
    formatNumber(start.offsetAndCount),
    formatRatio(start.service / start.offsetAndCount),
  ]);
  const full = fullReads.map((read) => [
    read.database,
    formatNumber(read.sdk),
    formatNumber(read.export),
    formatRatio(read.export === undefined ? undefined : read.sdk / read.export),
  ]);
  return [
    '## The first deep page after a start',
    'In ms, one request to a fresh process whose connections are open, nothing built yet; the median of several starts.',
    markdownTable(['page', 'the service', 'OFFSET + count', 'ratio'], cold),
    `## A whole table of ${rows.toLocaleString('en-US')} rows`,
    'In rows per second: pages of 1,000 through the SDK, eight in flight, beside the export of the same JSON by the database’s own client.',
    markdownTable(['database', 'through the SDK', 'export', 'ratio'], full),
  ];
}

/** Whatever went wrong is told, and so is how much was really written. */
function faults({ writes }: Results, groups: readonly ScenarioGroup[]): string[] {
  const bad = groups.flatMap(({ scenario, of }) =>
    Object.values(of)
      .filter(({ refused, failed }) => refused + failed > 0)
      .map(({ subject, answered, refused, failed }) => [
        fullLabel(scenario),
        SUBJECT_LABELS[subject],
        ...[answered, refused, failed].map(String),
      ]),
  );
  const written = writes.map(({ scenario, perSecond, failed }) => [
    fullLabel(scenario),
    formatNumber(perSecond),
    String(failed),
  ]);
  return [
    '## Requests without a good reply',
    bad.length === 0
      ? 'None: every request was answered with 200.'
      : markdownTable(['scenario', 'subject', 'good', 'other status', 'no reply'], bad, 2),
    ...(written.length === 0
      ? []
      : [
          '## Writes that really happened',
          markdownTable(['scenario', 'transactions/s', 'failed'], written),
        ]),
  ];
}

function fullLabel(scenario: Scenario): string {
  return `${scenario.database}, ${scenarioLabel(scenario)}`;
}
