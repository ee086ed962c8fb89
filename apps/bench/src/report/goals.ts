import type { DatabaseName } from '../databases/database.ts';
import { DEPTHS, referenceRows, type Scenario } from '../scenarios.ts';
import { formatNumber, ratio } from './format.ts';
import { findGroup, groupByScenario, rateRatio, type Results } from './results.ts';

/** A figure that the service is to reach, on one database. */
export interface Goal {
  readonly name: string;
  readonly bound: { readonly least: number } | { readonly most: number };
  readonly value: number | undefined;
}

/** Whether a goal is reached; undefined where it was not measured. */
export function isReached({ bound, value }: Goal): boolean | undefined {
  if (value === undefined) return undefined;
  return 'least' in bound ? value >= bound.least : value <= bound.most;
}

/** `≥ 2`, or `≤ 1.5`. */
export function boundText({ bound }: Goal): string {
  return 'least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most}`;
}

/** `2.35 yes`, or a dash. */
export function goalText(goal: Goal | undefined): string {
  const reached = goal && isReached(goal);
  return goal === undefined || reached === undefined
    ? '–'
    : `${formatNumber(goal.value)} ${reached ? 'yes' : 'no'}`;
}

function least(name: string, bound: number, value: number | undefined): Goal {
  return { name, bound: { least: bound }, value };
}

export function most(name: string, bound: number, value: number | undefined): Goal {
  return { name, bound: { most: bound }, value };
}

/** The goals with what was reached of them; all ratios are within this run. */
export function goalsOf(results: Results, database: DatabaseName): Goal[] {
  const all = groupByScenario(results.measurements).filter(
    ({ scenario }) => scenario.database === database,
  );
  const lengths = [...new Set(all.map(({ scenario }) => scenario.rows))].toSorted((a, b) => a - b);
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)];
  const plain = { size: all[0]?.scenario.size ?? 10, writesPerSecond: 0 };
  const first = { ...plain, depth: 'first', rows: referenceRows(lengths) } as const;
  const [repeated, varied, distinct] = (['repeated', 'varied', 'distinct'] as const).map(
    (pattern) => findGroup(all, { ...first, pattern }),
  );
  const p50 = (rows: number, depth: Scenario['depth']): number | undefined =>
    findGroup(all, { ...plain, rows, depth, pattern: 'varied' })?.of.service?.p50;
  const underWrites = all
    .filter(({ scenario }) => scenario.writesPerSecond > 0)
    .map((group) => rateRatio(group, 'bare-count') ?? Infinity);
  const worst = Math.min(...underWrites);
  const full = results.fullReads.find((read) => read.database === database);
  return [
    least('page 1 repeated, rate ÷ baseline route', 2, rateRatio(repeated, 'bare')),
    least('page 1 repeated, rate ÷ static reply', 0.6, rateRatio(repeated, 'static')),
    least('pages all different, rate ÷ baseline route', 1.2, rateRatio(distinct, 'bare')),
    // The baseline route has no memory, so that pages near the first are its best case, whether or
    // not they were asked for before.
    least(
      'pages all different, rate ÷ baseline route near page 1',
      1.2,
      rateRatio(distinct, 'bare', varied),
    ),
    ...DEPTHS.filter((depth) => depth !== 'first').map((depth) => {
      const deep = ratio(p50(longest, depth), p50(longest, 'first'));
      return most(`${depth} pages ÷ first pages, p50`, 1.5, deep);
    }),
    ...DEPTHS.map((depth) => {
      const grown = ratio(p50(longest, depth), p50(shortest, depth));
      return most(`${depth} pages, longest ÷ shortest table, p50`, 1.5, grown);
    }),
    ...results.coldStarts
      .filter((start) => start.database === database)
      .map(({ depth, service, offsetAndCount }) => {
        const name = `first ${depth} page after a start ÷ OFFSET + count`;
        return most(name, 1, service / offsetAndCount);
      }),
    least(
      'whole table through the SDK ÷ export, rows/s',
      0.3,
      full && ratio(full.sdk, full.export),
    ),
    least(
      'under writes, worst rate ÷ baseline route + count',
      1,
      worst === Infinity ? undefined : worst,
    ),
  ];
}
