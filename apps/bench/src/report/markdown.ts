import { referenceRows } from '../scenarios.ts';
import { databasesOf, groupByScenario, type ScenarioGroup } from './compare.ts';
import { formatNumber, formatRatio } from './format.ts';
import { boundText, type Goal, goalText } from './goals/goal.ts';
import { goalsOf } from './goals/goals.ts';
import { markdownTable } from './markdown-table.ts';
import { failureTables, rawTables } from './raw-tables.ts';
import type { Results } from './results.ts';

const SUBJECTS_IN_WORDS = `\
- the service: token, validation, exact total; its defaults, with its log sent
  nowhere
- baseline route: Fastify and the driver (16 connections), the same statement with \`limit\` and
  \`offset\`; no token, no validation, no total
- baseline route + count: the same with \`count(*)\` in every request
- static reply: a Fastify route that sends the bytes of the service’s reply`;

/** The page that people read: what was measured, and the goals. Figures are beside it. */
export function renderReport(results: Results, prose: string): string {
  const groups = groupByScenario(results.measurements);
  return [
    '# Performance',
    introduction(results),
    prose,
    '## Goals',
    'Ratios within this run. A dash: not measured.',
    goalTable(results, groups),
    ...coldStartPart(results),
    ...fullReadPart(results),
    '## Failures',
    ...failurePart(results),
    '## More',
    rawTables(results)
      .map(({ name, title }) => `- [${title}](performance/${name})`)
      .join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function introduction({ facts, connections, seconds }: Results): string {
  const memory = formatNumber(facts.memoryBytes / 2 ** 30);
  return [
    `Written by \`${facts.command}\` on ${facts.date} UTC.`,
    [
      `- Machine: ${facts.cores} cores of ${facts.processor}, ${memory} GiB of memory, ` +
        `Node ${facts.node}`,
      `- Databases: ${facts.databases.join(', ')}`,
      `- Load: ${connections} connections for ${seconds} s in each scenario, ` +
        'in rounds that take turns; a subject',
      `  that is too slow for that answered ${connections} requests instead`,
    ].join('\n'),
    `Load and servers share these cores, so that ratios say more than rates. Before the load the
replies of each subject were compared with the database's own answer. The subjects:`,
    SUBJECTS_IN_WORDS,
  ].join('\n\n');
}

function goalTable(results: Results, groups: readonly ScenarioGroup[]): string {
  const databases = databasesOf(groups);
  const columns = databases.map((database) => goalsOf(results, database));
  const names = [...new Set(columns.flat().map(({ name }) => name))];
  const rows = names.map((name) => {
    const goals = columns.map((column) => column.find((goal) => goal.name === name));
    return [name, boundsText(goals, databases), ...goals.map(goalText)];
  });
  return markdownTable(['goal', 'wanted', ...databases], rows, 2);
}

/** The bound that most databases have, and those of the others. */
function boundsText(goals: readonly (Goal | undefined)[], databases: readonly string[]): string {
  const bounds = goals.map((goal) => goal && boundText(goal));
  const usual = bounds.find((bound) => bound !== undefined);
  const others = bounds.flatMap((bound, index) =>
    bound === undefined || bound === usual ? [] : [`${databases[index]} ${bound}`],
  );
  return [usual, ...others].join(', ');
}

function coldStartPart({ coldStarts }: Results): string[] {
  const rows = coldStarts.map((start) => [
    `${start.database}, ${start.rows.toLocaleString('en-US')} rows, ${start.depth} page`,
    formatNumber(start.service),
    formatNumber(start.offsetAndCount),
    formatRatio(start.service / start.offsetAndCount),
  ]);
  return [
    '## The first deep page after a start',
    `In ms, one request to a fresh process whose connections are open and whose caches are empty;
the median of several starts.`,
    markdownTable(['page', 'the service', 'OFFSET + count', 'ratio'], rows),
  ];
}

function fullReadPart({ fullReads, measurements }: Results): string[] {
  const length = referenceRows([...new Set(measurements.map(({ scenario }) => scenario.rows))]);
  const rows = fullReads.map((read) => [
    read.database,
    formatNumber(read.sdk),
    formatNumber(read.export),
    formatRatio(read.export === undefined ? undefined : read.sdk / read.export),
  ]);
  return [
    `## A whole table of ${length.toLocaleString('en-US')} rows`,
    `In rows per second: pages of 1,000 through the SDK, eight at once, beside the export of the
same JSON by the database’s own client.`,
    markdownTable(['database', 'through the SDK', 'export', 'ratio'], rows),
  ];
}

function failurePart(results: Results): string[] {
  const tables = failureTables(results);
  return tables.length === 0
    ? ['None: every request was answered with 200, and every write succeeded.']
    : tables;
}
