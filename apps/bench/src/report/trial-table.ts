import { FIXED_RATE } from '../under-writes/measure-trial.ts';
import { LIST_LABELS, SETUP_LABELS, type Trial } from '../under-writes/trials.ts';
import { formatNumber, formatRatio, ratio } from './format.ts';
import { boundText, type Goal, goalText } from './goals/goal.ts';
import { markdownTable } from './markdown-table.ts';
import { rawPage, type RawTable } from './raw-table.ts';
import type { TrialResult } from './results.ts';
import { baselineOf, trialGoals } from './goals/trial-goals.ts';

/** Every figure of what was read under writes. */
export function trialTable(trials: readonly TrialResult[]): RawTable {
  const title = 'Pages under writes';
  const tables = [
    ...Map.groupBy(trials, ({ trial: { setup, rows } }) => `${setup} ${rows}`).values(),
  ];
  const parts = [INTRODUCTION, goalTable(trialGoals(trials)), ...tables.map(partOf)];
  return rawPage('under-writes.md', title, parts);
}

const INTRODUCTION = `\
Pages of ten records of the service alone, at ${FIXED_RATE} requests per second, each counted
from when it was due, and beside that how many requests a second all connections get answered.
Writers commit transactions of two statements. The baseline is the same page of a table that nobody
writes, while the same writers write to another server on the machine.`;

function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [goal.name, boundText(goal), goalText(goal)]);
  return markdownTable(['goal', 'wanted', 'reached'], rows, 2);
}

function partOf(trials: readonly TrialResult[]): string {
  const [first] = trials;
  if (first === undefined) return '';
  const { setup, rows } = first.trial;
  const head = [
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
  const body = trials.map((result) => rowOf(result, baselineOf(result, trials)));
  const title = `## ${SETUP_LABELS[setup]}, ${rows.toLocaleString('en-US')} rows`;
  return `${title}\n\n${markdownTable(head, body, 2)}`;
}

function rowOf(result: TrialResult, baseline: TrialResult | undefined): string[] {
  const { trial, p50, p99, requestsPerSecond, refused, failed, writes } = result;
  return [
    readText(trial),
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
}

function readText({ depth, lists }: Trial): string {
  return `${depth} page${LIST_LABELS[lists]}`;
}
