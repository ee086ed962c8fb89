import { join } from 'node:path';

import type { Comparison } from './comparison.ts';
import type { DatabaseName } from './databases/database.ts';
import { withTable } from './databases/open.ts';
import { loadInTurns, ratioText } from './load/in-turns.ts';
import { planScenarios, type Scenario, scenarioLabel } from './scenarios.ts';
import { pagesEntrant } from './subjects/pages.ts';
import { type ServiceOptions, withService } from './subjects/service.ts';

/** So many that pages that all differ last for all rounds: fewer show how code warms up. */
const ROWS = 1_000_000;
const CONNECTIONS = 16;

/** How the services that are compared are started. */
type Start = Pick<ServiceOptions, 'program' | 'settings'>;

type CompareOptions = Comparison<'databases' | 'seconds'>;

/**
 * Loads the service of this checkout and that of another one in turns, over the same tables, and
 * prints how the rate, the median latency and the processor time of this one compare: 1.05 is 5 %
 * more.
 *
 * @param checkout the folder of a checkout of another commit, with its packages built
 */
export async function runCompare(checkout: string, run: CompareOptions): Promise<void> {
  const program = join(checkout, 'apps', 'server', 'dist', 'main.js');
  await compare({}, { program }, run);
}

/** As {@link runCompare}, of a service with some settings and one without them. */
export async function runCompareSettings(
  settings: Readonly<Record<string, unknown>>,
  run: CompareOptions,
): Promise<void> {
  await compare({ settings }, {}, run);
}

async function compare(one: Start, other: Start, run: CompareOptions): Promise<void> {
  const { databases, seconds, print } = run;
  for (const name of databases) {
    await withTable(name, ROWS, (database) =>
      withService({ database, tables: [ROWS], ...one }, (first) =>
        withService({ database, tables: [ROWS], ...other }, async (second) => {
          for (const scenario of scenariosOf(name)) {
            const entrants = [first, second].map((service) => {
              const { pid, load } = pagesEntrant(service, scenario);
              return { pid, load };
            });
            const totals = await loadInTurns(entrants, { connections: CONNECTIONS, seconds });
            print(`${name}, ${scenarioLabel(scenario)}: ${ratioText(totals)}`);
          }
        }),
      ),
    );
  }
}

/** First, middle and last pages, the same again and again and varied. */
function scenariosOf(database: DatabaseName): Scenario[] {
  const depths = ['first', 'middle', 'last'] as const;
  return planScenarios(database, { rows: [ROWS], sizes: [10], depths, writes: [0] });
}
