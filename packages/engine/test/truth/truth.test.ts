/**
 * Compares every reply with the state that the database was in. The ordinary run is short; minutes
 * for each database and pace:
 *
 *     TRUTH_SECONDS=120 TRUTH_ROWS=30000 npx vitest run test/truth/truth.test.ts
 *
 * `TEST_SEED` repeats the data and the choices of an earlier run, though not their timing.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import type { Engine } from '../../src/index.ts';
import { FIXTURES } from '../fixtures/index.ts';
import { sqlite } from '../fixtures/sqlite.ts';
import { openUnderTest } from './engine-under-test.ts';
import { FULL_SPEED, HUNDREDFOLD, IN_BURSTS, ONCE_A_SECOND } from './paces.ts';
import { explain, report } from './report.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const SECONDS = Number(process.env['TRUTH_SECONDS'] ?? 1.5);
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);

/** Setting up and ending take a while, too. */
const TIMEOUT_MS = SECONDS * 2000 + 60_000;

describe.each([...FIXTURES, { ...sqlite, name: 'SQLite without WAL' }])(
  `every reply on $name (seed ${SEED})`,
  { timeout: TIMEOUT_MS },
  (fixture) => {
    let stage: Stage;
    let engine: Engine;

    beforeAll(async () => {
      stage = await prepareStage(fixture, SEED);
      engine = await openUnderTest(stage.url, fixture);
    });

    it.each([IN_BURSTS, ONCE_A_SECOND, HUNDREDFOLD, FULL_SPEED])(
      'is true while others write $name',
      async (pace) => {
        const findings = await runTrial(stage, { engine, pace, seconds: SECONDS, mismatches: 3 });
        console.info(`${fixture.name}, written to ${pace.name}: ${report(findings)}`);
        expect(findings.mismatches.map(explain), `seed ${SEED}`).toEqual([]);
        expect(Object.fromEntries(findings.failures)).toEqual({});
        expect(findings.replies).toBeGreaterThan(0);
        expect(findings.commits).toBeGreaterThan(0);
      },
    );

    it('is read with the help of every mechanism that is on', () => {
      const statistics = engine.statistics();
      const counts = statistics.map(
        ({ mechanism, hits, misses }) => `${mechanism} ${hits} of ${hits + misses}`,
      );
      console.info(`${fixture.name}: ${counts.join(', ')}.`);
      const helpful = statistics.filter(({ hits }) => hits > 0).map(({ mechanism }) => mechanism);
      expect(helpful).toEqual(expect.arrayContaining([...stage.store.mechanisms]));
    });
  },
);
