import { isDeepStrictEqual } from 'node:util';

import { FIXED_RATE } from '../under-writes/measure-trial.ts';
import {
  type ListKind,
  LISTS,
  SETUPS,
  type Trial,
  type WrittenTo,
} from '../under-writes/trials.ts';
import {
  type FiguresPage,
  figuresPage,
  formatNumber,
  formatRatio,
  markdownTable,
  ratio,
} from './format.ts';
import { boundText, type Goal, goalText, most } from './goals.ts';
import type { TrialResult } from './results.ts';

/** Every figure of what was read under writes. */
export function trialsPage(trials: readonly TrialResult[]): FiguresPage {
  const goals = trialGoals(trials).map((goal) => [goal.name, boundText(goal), goalText(goal)]);
  return figuresPage('under-writes.md', 'Pages under writes', [
    INTRODUCTION,
    markdownTable(['goal', 'wanted', 'reached'], goals, 2),
    ...[...Map.groupBy(trials, ({ trial: { setup, rows } }) => `${setup} ${rows}`).values()].map(
      partOf,
    ),
  ]);
}

const INTRODUCTION = `\
Pages of ten records of the service alone, at ${FIXED_RATE} requests per second, each counted
from when it was due, and beside that how many requests a second all connections get answered.
Writers commit transactions of two statements. The baseline is the same page of a table that nobody
writes, while the same writers write to another server on the machine.`;

/** The rate of writes at which goals are set. */
const RATE = 1000;

/** Lists of which only the database can tell how they change. */
const LIST_GOALS: readonly { kind: ListKind; name: string; bound: number }[] = [
  { kind: 'filtered', name: 'a filtered list', bound: 3 },
  { kind: 'several', name: 'eight lists', bound: 5 },
  { kind: 'tenants', name: 'lists of 100 tenants', bound: 5 },
  { kind: 'ordered', name: 'another order', bound: 5 },
];

/** What a followed PostgreSQL is to reach while it is written to. */
export function trialGoals(trials: readonly TrialResult[]): Goal[] {
  const worst = (
    writtenTo: WrittenTo,
    value: (result: TrialResult) => number | undefined,
    kind: ListKind = 'whole',
  ): number | undefined => {
    const known = trials
      .filter(({ trial }) => trial.setup === 'feed' && trial.perSecond === RATE)
      .filter(({ trial }) => trial.writtenTo === writtenTo && trial.lists === kind)
      .map(value)
      .filter((each) => each !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const overBaseline = (result: TrialResult): number | undefined =>
    ratio(result.p50, baselineOf(result, trials)?.p50);
  const open = 'this table beside an open transaction';
  return [
    most('followed, 1,000 writes/s, p50 ÷ baseline', 3, worst('this table', overBaseline)),
    most(
      'followed, 1,000 writes/s to another table, p50 ÷ baseline',
      1.25,
      worst('another table', overBaseline),
    ),
    most(
      'followed, 1,000 writes/s, p99 in ms',
      30,
      worst('this table', ({ p99 }) => p99),
    ),
    most(
      'followed, 1,000 writes/s and an open transaction, p99 in ms',
      30,
      worst(open, ({ p99 }) => p99),
    ),
    ...LIST_GOALS.map(({ kind, name, bound }) =>
      most(
        `followed, 1,000 writes/s, ${name}, p50 ÷ baseline`,
        bound,
        worst('this table', overBaseline, kind),
      ),
    ),
  ];
}

/** The same page, while the same writers write to another server. */
function baselineOf(
  { trial }: TrialResult,
  trials: readonly TrialResult[],
): TrialResult | undefined {
  const wanted: Trial = { ...trial, writtenTo: 'another server' };
  return trials.find((other) => isDeepStrictEqual(other.trial, wanted));
}

const HEAD = [
  'read',
  'written',
  'writes/s',
  'p50, ms',
  '÷ baseline',
  'p99, ms',
  'requests/s',
  '÷ baseline',
  'no good reply',
  'failed writes',
];

/** The trials of one setup. */
function partOf(trials: readonly TrialResult[]): string {
  const body = trials.map((result) => {
    const { trial, p50, p99, requestsPerSecond, refused, failed, writes } = result;
    const baseline = baselineOf(result, trials);
    return [
      `${trial.depth} page${LISTS[trial.lists].label}`,
      trial.writtenTo,
      formatNumber(writes.perSecond),
      formatNumber(p50),
      formatRatio(ratio(p50, baseline?.p50)),
      formatNumber(p99),
      formatNumber(requestsPerSecond),
      formatRatio(ratio(requestsPerSecond, baseline?.requestsPerSecond)),
      String(refused + failed),
      String(writes.failed),
    ];
  });
  const { setup = 'feed', rows = 0 } = trials[0]?.trial ?? {};
  const title = `## ${SETUPS[setup].label}, ${rows.toLocaleString('en-US')} rows`;
  return `${title}\n\n${markdownTable(HEAD, body, 2)}`;
}
