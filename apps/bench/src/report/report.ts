import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { referenceRows, type Scenario, scenarioLabel } from '../scenarios.ts';
import {
  type FiguresPage,
  figuresPage,
  formatNumber,
  formatRatio,
  markdownTable,
} from './format.ts';
import { boundText, goalsOf, goalText } from './goals.ts';
import {
  databasesOf,
  groupByScenario,
  latencyRatio,
  rateRatio,
  type Results,
  type ScenarioGroup,
  SUBJECT_LABELS,
} from './results.ts';
import { trialsPage } from './trials-page.ts';

/**
 * Writes `performance.md` into a folder, keeping the prose that the page has, and the figures into
 * the folder `performance` beside it: only those of what was read under writes, where nothing else
 * was measured.
 *
 * @returns the path of the page
 */
export async function writeReport(results: Results, folder: string): Promise<string> {
  const beside = join(folder, 'performance');
  await mkdir(beside, { recursive: true });
  const pages = figuresPages(results);
  for (const { name, text } of pages) await writeFile(join(beside, name), text);
  if (results.measurements.length === 0) return join(beside, 'under-writes.md');
  const file = join(folder, 'performance.md');
  const before = await readFile(file, 'utf8').catch(() => '');
  await writeFile(file, renderReport(results, proseOf(before)));
  return file;
}

const [BEGIN, END] = ['<!-- prose:begin -->', '<!-- prose:end -->'] as const;

/** The hand-written part of a document, with its marks; empty marks where there is none yet. */
export function proseOf(document: string): string {
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END, from);
  return from === -1 || to === -1 ? `${BEGIN}\n\n${END}` : document.slice(from, to + END.length);
}

/** The pages beside the report: the ratios of each scenario, and what was read under writes. */
export function figuresPages({ measurements, trials }: Results): FiguresPage[] {
  const groups = groupByScenario(measurements);
  const ratios = figuresPage('ratios.md', 'Ratios', [
    [
      'Requests per second of the service, divided by those of the others in the same minute (more',
      'is better), and its median latency divided by theirs (less is better).',
    ].join('\n'),
    ...databasesOf(groups).map((database) => {
      const own = groups.filter(({ scenario }) => scenario.database === database);
      return `## ${database}\n\n${ratioTable(own)}`;
    }),
  ]);
  return [
    ...(groups.length === 0 ? [] : [ratios]),
    ...(trials.length === 0 ? [] : [trialsPage(trials)]),
  ];
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
    ...(['bare', 'bare-count', 'static'] as const).map((other) =>
      formatRatio(rateRatio(group, other)),
    ),
    ...(['bare', 'bare-count'] as const).map((other) => formatRatio(latencyRatio(group, other))),
  ]);
  return markdownTable(head, rows);
}

const SUBJECTS_IN_WORDS = `\
- the service: token, validation, exact total; its defaults, with its log sent
  nowhere
- baseline route: Fastify and the driver (16 connections), the same statement with \`limit\` and
  \`offset\`; no token, no validation, no total
- baseline route + count: the same with \`count(*)\` in every request
- static reply: a Fastify route that sends the bytes of the service’s reply`;

/** The page that people read: what was measured, and the goals. Figures are beside it. */
export function renderReport(results: Results, prose: string): string {
  const length = referenceRows([
    ...new Set(results.measurements.map(({ scenario }) => scenario.rows)),
  ]);
  return `${[
    '# Performance',
    introduction(results),
    prose,
    '## Goals',
    'Ratios within this run. A dash: not measured.',
    goalTable(results),
    '## The first deep page after a start',
    `In ms, one request to a fresh process whose connections are open and whose caches are empty;
the median of several starts.`,
    coldStartTable(results),
    `## A whole table of ${length.toLocaleString('en-US')} rows`,
    `In rows per second: pages of 1,000 through the SDK, eight at once, beside the export of the
same JSON by the database’s own client.`,
    fullReadTable(results),
    '## Failures',
    ...failures(results),
    '## More',
    figuresPages(results)
      .map(({ name, title }) => `- [${title}](performance/${name})`)
      .join('\n'),
  ].join('\n\n')}\n`;
}

function introduction({ facts, connections, seconds }: Results): string {
  const memory = formatNumber(facts.memoryBytes / 2 ** 30);
  return `Written by \`${facts.command}\` on ${facts.date} UTC.

- Machine: ${facts.cores} cores of ${facts.processor}, ${memory} GiB of memory, Node ${facts.node}
- Databases: ${facts.databases.join(', ')}
- Load: ${connections} connections for ${seconds} s in each scenario, in rounds that take turns;
  a subject that is too slow for that answered ${connections} requests instead

Load and servers share these cores, so that ratios say more than rates. Before the load the replies
of the subjects were compared with each other. The subjects:

${SUBJECTS_IN_WORDS}`;
}

function goalTable(results: Results): string {
  const databases = databasesOf(groupByScenario(results.measurements));
  const columns = databases.map((database) => goalsOf(results, database));
  const rows = (columns[0] ?? []).map((goal) => {
    const goals = columns.map((column) => column.find(({ name }) => name === goal.name));
    return [goal.name, boundText(goal), ...goals.map(goalText)];
  });
  return markdownTable(['goal', 'wanted', ...databases], rows, 2);
}

function coldStartTable({ coldStarts }: Results): string {
  const rows = coldStarts.map(({ database, rows: length, depth, service, offsetAndCount }) => [
    `${database}, ${length.toLocaleString('en-US')} rows, ${depth} page`,
    formatNumber(service),
    formatNumber(offsetAndCount),
    formatRatio(service / offsetAndCount),
  ]);
  return markdownTable(['page', 'the service', 'OFFSET + count', 'ratio'], rows);
}

function fullReadTable({ fullReads }: Results): string {
  const rows = fullReads.map(({ database, sdk, export: own }) => [
    database,
    formatNumber(sdk),
    formatNumber(own),
    formatRatio(own && sdk / own),
  ]);
  return markdownTable(['database', 'through the SDK', 'export', 'ratio'], rows);
}

/** Requests that were not answered with 200, and writes that failed. */
function failures({ measurements, writes }: Results): string[] {
  const requests = measurements
    .filter(({ refused, failed }) => refused + failed > 0)
    .map(({ scenario, subject, answered, refused, failed }) => [
      fullLabel(scenario),
      SUBJECT_LABELS[subject],
      ...[answered, refused, failed].map(String),
    ]);
  const written = writes
    .filter(({ failed }) => failed > 0)
    .map(({ scenario, failed }) => [fullLabel(scenario), String(failed)]);
  if (requests.length + written.length === 0)
    return ['None: every request was answered with 200, and every write succeeded.'];
  const head = ['scenario', 'subject', 'good', 'other status', 'no reply'];
  return [
    ...(requests.length === 0 ? [] : [markdownTable(head, requests, 2)]),
    ...(written.length === 0 ? [] : [markdownTable(['scenario', 'failed writes'], written)]),
  ];
}

function fullLabel(scenario: Scenario): string {
  return `${scenario.database}, ${scenarioLabel(scenario)}`;
}
