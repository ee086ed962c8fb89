import { DATABASES, DEPTHS } from '../../scenarios.ts';
import { SUBJECTS } from '../../subjects/subject.ts';
import { groupByScenario, type ScenarioGroup } from '../compare.ts';
import { type Line, linePlot, type LinePanel } from './line-plot.ts';
import type { Results } from '../results.ts';

/** The name of the plot that shows how latency grows with the table. */
export const GROWTH_PLOT = 'growth.svg';

/** How latency grows with the table, as SVG. */
export function growthPlot({ measurements }: Results): string {
  return linePlot(
    'Median latency in ms of random pages near each depth, by the rows of the table',
    growthPanels(groupByScenario(measurements)),
  );
}

/** The databases that were measured, in their order. */
export function databasesOf(groups: readonly ScenarioGroup[]) {
  return DATABASES.filter((database) =>
    groups.some(({ scenario }) => scenario.database === database),
  );
}

function growthPanels(groups: readonly ScenarioGroup[]): LinePanel[] {
  const plainSize = groups[0]?.scenario.size;
  return databasesOf(groups).flatMap((database) =>
    DEPTHS.map((depth) => {
      const own = groups.filter(({ scenario }) => {
        const plain =
          scenario.pattern === 'varied' &&
          scenario.size === plainSize &&
          scenario.writesPerSecond === 0;
        return plain && scenario.database === database && scenario.depth === depth;
      });
      return {
        title: `${database}, ${depth}`,
        lines: SUBJECTS.map((subject) => lineOf(subject, own)),
      };
    }),
  );
}

function lineOf(subject: Line['subject'], groups: readonly ScenarioGroup[]): Line {
  const points = groups.flatMap(({ scenario, of }) => {
    const y = of[subject]?.p50;
    return y === undefined ? [] : [{ x: scenario.rows, y }];
  });
  return { subject, points: points.toSorted((a, b) => a.x - b.x) };
}
