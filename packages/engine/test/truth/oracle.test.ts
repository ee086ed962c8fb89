import { beforeRelease } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Engine } from '../../src/index.ts';
import { FIXTURES } from '../fixtures/index.ts';
import { broken, FAULTS } from './broken-engines.ts';
import { openUnderTest } from './engine-under-test.ts';
import { report } from './report.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);

/** A trial ends with the first wrong reply, long before. */
const SECONDS = 100;
const TIMEOUT_MS = 150_000;

/** The faults are those of an engine over any database. */
const CHOSEN = beforeRelease ? FIXTURES : FIXTURES.slice(0, 1);

describe.each(CHOSEN)(`the oracle on $name (seed ${SEED})`, { timeout: TIMEOUT_MS }, (fixture) => {
  let stage: Stage;
  let engine: Engine;

  beforeAll(async () => {
    stage = await prepareStage(fixture, SEED);
    engine = await openUnderTest(stage.url, fixture);
  });

  it.each(FAULTS)('finds out an engine that $does', async (error) => {
    const course = {
      engine: broken(engine, error, stage.random),
      pace: error.pace,
      seconds: SECONDS,
      mismatches: 1,
    };
    const findings = await runTrial(stage, course);
    expect(findings.mismatches, `${report(findings)} Seed ${SEED}.`).not.toEqual([]);
  });
});
