import { Latencies } from '../../load/latencies.ts';
import type { BenchDatabase } from '../../tables/bench-database.ts';
import { hasProgram } from '../../processes/program.ts';
import type { Outcome, Subject, Work } from '../subject.ts';
import type { Scenario } from '../../scenarios.ts';
import { runMariadbSlap } from './mariadb-slap.ts';
import { runPgbench } from './pgbench.ts';
import { runSqliteLoop } from './sqlite-loop.ts';
import type { ToolWork } from './tool-work.ts';

interface Tool {
  /** The program it takes; undefined where it is our own. */
  readonly program: string | undefined;
  readonly run: (work: ToolWork) => Promise<Outcome>;
}

const TOOLS: Record<BenchDatabase['name'], Tool> = {
  postgres: { program: 'pgbench', run: runPgbench },
  mariadb: { program: 'mariadb-slap', run: runMariadbSlap },
  sqlite: { program: undefined, run: runSqliteLoop },
};

/** The fewest and the most statements of one load. */
const AMOUNTS = { least: 16, most: 100_000 };

/** The first look at a scenario is this share of a load. */
const FIRST_LOOK = 0.1;

/**
 * The database's own load tool on the statement of the baseline route; undefined where its program
 * is not installed.
 */
export async function toolSubject(database: BenchDatabase): Promise<Subject | undefined> {
  const { program, run } = TOOLS[database.name];
  if (program !== undefined && !(await hasProgram(program))) return undefined;
  const rates = new WeakMap<Scenario, Outcome>();
  return {
    name: 'tool',
    pid: undefined,
    // Tools take how many statements to run, not how long: a short run shows how many fit into
    // the time.
    load: async (work) => {
      const known = rates.get(work.scenario);
      if (known !== undefined)
        return isSlow(known, work)
          ? NOTHING
          : run({ ...work, database, amount: fitting(known, work.seconds) });
      const short = await run({ ...work, database, amount: AMOUNTS.least });
      const rate = isSlow(short, work)
        ? short
        : await run({ ...work, database, amount: fitting(short, work.seconds * FIRST_LOOK) });
      rates.set(work.scenario, rate);
      return isSlow(rate, work)
        ? rate
        : run({ ...work, database, amount: fitting(rate, work.seconds) });
    },
    stop: async () => undefined,
  };
}

/**
 * Where the fewest statements take all the time, they are the measurement, and no later round adds
 * to them.
 */
function isSlow({ answered, seconds }: Outcome, work: Work): boolean {
  return answered <= AMOUNTS.least && seconds > work.seconds;
}

const NOTHING: Outcome = {
  answered: 0,
  seconds: 0,
  latencies: new Latencies(),
  refused: 0,
  failed: 0,
};

function fitting({ answered, seconds }: Outcome, wanted: number): number {
  const amount = Math.round((answered / Math.max(seconds, 0.001)) * wanted);
  return Math.min(AMOUNTS.most, Math.max(AMOUNTS.least, amount));
}
