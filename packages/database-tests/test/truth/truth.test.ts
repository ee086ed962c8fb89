/**
 * Compares every reply with the state that the database was in. The ordinary run is short; 600,000
 * requests to each database beside as many transactions, then 60,000 beside a hundredth of that:
 *
 *     TRUTH_PACES=1:600000,100:60000 TRUTH_ROWS=30000 npx vitest run packages/database-tests/test/truth/truth
 *
 * `TEST_SEED` repeats the data and the choices of an earlier run, though not their timing.
 */
import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Fixture, shareOf } from '../fixtures/fixture.ts';
import { askedOf, openUnderTest } from './engine-under-test.ts';
import { useEveryMechanism } from './every-mechanism.ts';
import { everyPace, type MeasuredPace, readPaces } from './paces.ts';
import { explain, report } from './report.ts';
import { TRIED } from './tried.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const REQUESTS = beforeRelease ? 5000 : 120;
const CHOSEN = process.env['TRUTH_PACES'];

/** On every commit each second pace, and on the next database the others. */
function pacesOf(fixture: Fixture): readonly MeasuredPace[] {
  if (CHOSEN !== undefined) return readPaces(CHOSEN);
  return eachNth(2, everyPace(shareOf(fixture, REQUESTS)), TRIED.indexOf(fixture));
}

/** Paces of one's own take as long as they take. */
const LIMIT = CHOSEN === undefined ? {} : { timeout: 0 };

/**
 * What follows the log serves a read only where it is in time for it, which is seldom on a machine
 * that is busy with something else.
 */
const EVERY_MECHANISM = { timeout: 180_000 };

describe.each(TRIED)(`every reply on $name (seed ${SEED})`, LIMIT, (fixture) => {
  let stage: Stage;
  let engine: Engine;

  beforeAll(async () => {
    stage = await prepareStage(fixture, SEED);
    engine = await openUnderTest(stage.readUrl, fixture);
  });

  afterAll(async () => {
    await engine.close();
    await stage.close();
  });

  it('is read with the help of every mechanism that is on', EVERY_MECHANISM, async () => {
    expect(await useEveryMechanism(stage, engine), `seed ${SEED}`).toEqual([]);
  });

  it.each(pacesOf(fixture))('is true while others write $pace.name', async ({ pace, requests }) => {
    const findings = await runTrial(stage, {
      engine: askedOf(engine, fixture),
      pace,
      requests,
      mismatches: 3,
    });
    if (CHOSEN !== undefined) console.info(`${fixture.name}, ${pace.name}: ${report(findings)}`);
    expect(findings.mismatches.map(explain), `seed ${SEED}`).toEqual([]);
    expect(Object.fromEntries(findings.failures)).toEqual({});
    expect(findings.replies).toBeGreaterThan(0);
    expect(findings.commits).toBeGreaterThan(0);
  });
});
