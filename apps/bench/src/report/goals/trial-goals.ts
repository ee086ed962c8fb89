import { isDeepStrictEqual } from 'node:util';

import type { ListKind, Trial, WrittenTo } from '../../under-writes/trials.ts';
import { ratio } from '../format.ts';
import { type Goal, most } from './goal.ts';
import type { TrialResult } from '../results.ts';

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
  const followed = trials.filter(
    ({ trial: { setup, perSecond } }) => setup === 'feed' && perSecond === RATE,
  );
  const worst = (
    writtenTo: WrittenTo,
    value: (result: TrialResult) => number | undefined,
    kind: ListKind = 'whole',
  ): number | undefined => {
    const values = followed
      .filter(({ trial }) => trial.writtenTo === writtenTo && trial.lists === kind)
      .map(value);
    const known = values.filter((each) => each !== undefined);
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
    most('followed, 1,000 writes/s, p99 in ms', 30, worst('this table', p99Of)),
    most('followed, 1,000 writes/s and an open transaction, p99 in ms', 30, worst(open, p99Of)),
    ...LIST_GOALS.map(({ kind, name, bound }) =>
      most(
        `followed, 1,000 writes/s, ${name}, p50 ÷ baseline`,
        bound,
        worst('this table', overBaseline, kind),
      ),
    ),
  ];
}

function p99Of({ p99 }: TrialResult): number | undefined {
  return p99;
}

/** The same page, while the same writers write to another server. */
export function baselineOf(
  { trial }: TrialResult,
  trials: readonly TrialResult[],
): TrialResult | undefined {
  const wanted: Trial = { ...trial, writtenTo: 'another server' };
  return trials.find((other) => isDeepStrictEqual(other.trial, wanted));
}
