/**
 * Compares every reply with the state that the database was in. The ordinary run is short; minutes
 * for each database at rates of one's own, 1,000 transactions a second and then ten:
 *
 *     TRUTH_PACES=1000:600,10:60 TRUTH_ROWS=30000 npx vitest run test/truth/truth.test.ts
 *
 * `TEST_SEED` repeats the data and the choices of an earlier run, though not their timing.
 */
import { beforeRelease } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Engine, MechanismStatistics } from '../../src/index.ts';
import type { Calling } from './callers.ts';
import { openUnderTest } from './engine-under-test.ts';
import { everyPace, IN_BURSTS, readPaces } from './paces.ts';
import { explain, report } from './report.ts';
import { TRIED } from './tried.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const SECONDS = Number(process.env['TRUTH_SECONDS'] ?? (beforeRelease ? 5 : 0.6));
const CHOSEN = process.env['TRUTH_PACES'];
const PACES = CHOSEN === undefined ? everyPace(SECONDS) : readPaces(CHOSEN);
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);

/** After the paces, so many trials at most let each mechanism serve. */
const MOST_TRIALS = 15;

/** Setting up and ending take a while, too. */
const TIMEOUT_MS = Math.max(...PACES.map(({ seconds }) => seconds)) * 2000 + 60_000;

/**
 * Its writers wait for readers, and keep this process from taking what is exported meanwhile. Whole
 * lists of it are compared in `concurrent-writer.test.ts`, where another process writes.
 */
const WITHOUT_EXPORTS = 'SQLite without WAL';

describe.each(TRIED)(`every reply on $name (seed ${SEED})`, { timeout: TIMEOUT_MS }, (fixture) => {
  let stage: Stage;
  let engine: Engine;
  let asked: Calling['engine'];

  beforeAll(async () => {
    stage = await prepareStage(fixture, SEED);
    engine = await openUnderTest(stage.readUrl, fixture);
    asked = fixture.name === WITHOUT_EXPORTS ? withoutExports(engine) : engine;
  });

  afterAll(async () => {
    await engine.close();
    await stage.close();
  });

  it.each(PACES)('is true while others write $pace.name', async ({ pace, seconds }) => {
    const findings = await runTrial(stage, { engine: asked, pace, seconds, mismatches: 3 });
    console.info(`${fixture.name}, written to ${pace.name}: ${report(findings)}`);
    expect(findings.mismatches.map(explain), `seed ${SEED}`).toEqual([]);
    expect(Object.fromEntries(findings.failures)).toEqual({});
    expect(findings.replies).toBeGreaterThan(0);
    expect(findings.commits).toBeGreaterThan(0);
  });

  it('is read with the help of every mechanism that is on', async () => {
    // Some need longer without a write than the paces leave them, above all on a busy machine, and
    // others lists that are counted again, of which long rests leave few: they take turns.
    let { restMs } = IN_BURSTS;
    for (let trials = 0; trials < MOST_TRIALS && missing(engine, stage).length > 0; trials++) {
      if (trials % 2 === 0) restMs *= 2;
      const pace = trials % 2 === 0 ? { ...IN_BURSTS, restMs } : IN_BURSTS;
      const { mismatches } = await runTrial(stage, {
        engine: asked,
        pace,
        seconds: 2,
        mismatches: 1,
      });
      expect(mismatches.map(explain), `seed ${SEED}`).toEqual([]);
    }
    console.info(`${fixture.name}: ${engine.statistics().map(describeHits).join(', ')}.`);
    expect(missing(engine, stage)).toEqual([]);
  });
});

function withoutExports(engine: Engine): Calling['engine'] {
  return { query: engine.query.bind(engine), facets: engine.facets.bind(engine) };
}

/** The mechanisms that have not served yet. */
function missing(engine: Engine, { store }: Stage): string[] {
  const statistics = engine.statistics().filter(({ hits }) => hits > 0);
  const helpful = new Set(statistics.map(({ mechanism }) => mechanism));
  return store.mechanisms.filter((mechanism) => !helpful.has(mechanism));
}

function describeHits({ mechanism, hits, misses }: MechanismStatistics): string {
  return `${mechanism} ${hits} of ${hits + misses}`;
}
