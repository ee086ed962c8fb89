import { type DatabaseName, DEPTHS, referenceRows, type Scenario } from '../../scenarios.ts';
import { findGroup, groupByScenario, rateRatio, type ScenarioGroup } from '../compare.ts';
import { ratio } from '../format.ts';
import { type Goal, least } from './goal.ts';
import { rateOf, type Results } from '../results.ts';
import { trialGoals } from './trial-goals.ts';

/** The goals with what was reached of them; all ratios are within this run. */
export function goalsOf(results: Results, database: DatabaseName): Goal[] {
  const all = groupByScenario(results.measurements).filter(
    ({ scenario }) => scenario.database === database,
  );
  const lengths = [...new Set(all.map(({ scenario }) => scenario.rows))].toSorted((a, b) => a - b);
  const plain = { size: all[0]?.scenario.size ?? 10, writesPerSecond: 0 };
  const rows = referenceRows(lengths);
  const find = (wanted: Partial<Scenario>) =>
    findGroup(all, { ...plain, pattern: 'repeated', depth: 'first', rows, ...wanted });
  return [
    ...firstPageGoals(find, database),
    ...depthGoals(find, lengths),
    ...otherGoals(results, database),
    least('under writes, worst rate ÷ baseline route + count', 1, worstUnderWrites(all)),
    ...(database === 'postgres' ? trialGoals(results.trials) : []),
  ];
}

/** The baseline route of SQLite reads in its own process, without a message to another one. */
const NEAR_FIRST_GOAL: Record<DatabaseName, number> = { postgres: 1.2, mariadb: 1.2, sqlite: 0.6 };

function firstPageGoals(find: Find, database: DatabaseName): Goal[] {
  const repeated = find({});
  const distinct = find({ pattern: 'distinct' });
  return [
    least('page 1 repeated, rate ÷ baseline route', 2, repeated && rateRatio(repeated, 'bare')),
    least('page 1 repeated, rate ÷ static reply', 0.6, repeated && rateRatio(repeated, 'static')),
    least(
      'pages all different, rate ÷ baseline route',
      1.2,
      distinct && rateRatio(distinct, 'bare'),
    ),
    least(
      'pages all different, rate ÷ baseline route near page 1',
      NEAR_FIRST_GOAL[database],
      acrossRate(distinct, find({ pattern: 'varied' })),
    ),
  ];
}

type Find = (wanted: Partial<Scenario>) => ScenarioGroup | undefined;

function depthGoal(name: string, value: number | undefined): Goal {
  return { name, bound: { most: 1.5 }, value };
}

function depthGoals(find: Find, lengths: readonly number[]): Goal[] {
  const [shortest, longest] = [lengths[0], lengths.at(-1)];
  if (shortest === undefined || longest === undefined) return [];
  const p50 = (rows: number, depth: Scenario['depth']) =>
    find({ rows, depth, pattern: 'varied' })?.of.service?.p50;
  const deep = DEPTHS.filter((depth) => depth !== 'first').map((depth) =>
    depthGoal(
      `${depth} pages ÷ first pages, p50`,
      ratio(p50(longest, depth), p50(longest, 'first')),
    ),
  );
  const grown = DEPTHS.map((depth) =>
    depthGoal(
      `${depth} pages, longest ÷ shortest table, p50`,
      ratio(p50(longest, depth), p50(shortest, depth)),
    ),
  );
  return [...deep, ...grown];
}

function otherGoals({ coldStarts, fullReads }: Results, database: DatabaseName): Goal[] {
  const cold = coldStarts.filter((start) => start.database === database);
  const full = fullReads.find((read) => read.database === database);
  return [
    ...cold.map(({ depth, service, offsetAndCount }): Goal => {
      return {
        name: `first ${depth} page after a start ÷ OFFSET + count`,
        bound: { most: 1 },
        value: service / offsetAndCount,
      };
    }),
    {
      name: 'whole table through the SDK ÷ export, rows/s',
      bound: { least: 0.3 },
      value: full && ratio(full.sdk, full.export),
    },
  ];
}

/**
 * The baseline route has no memory, so that pages near the first are its best case, whether or not
 * they were asked for before.
 */
function acrossRate(
  distinct: ScenarioGroup | undefined,
  near: ScenarioGroup | undefined,
): number | undefined {
  return ratio(
    distinct?.of.service && rateOf(distinct.of.service),
    near?.of.bare && rateOf(near.of.bare),
  );
}

function worstUnderWrites(groups: readonly ScenarioGroup[]): number | undefined {
  const ratios = groups
    .filter(({ scenario }) => scenario.writesPerSecond > 0)
    .map((group) => rateRatio(group, 'bare-count'))
    .filter((value) => value !== undefined);
  return ratios.length === 0 ? undefined : Math.min(...ratios);
}
