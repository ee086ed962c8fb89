import type { Engine } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { broken, FAULTS } from './broken-engines.ts';
import { openUnderTest } from './engine-under-test.ts';
import { FEW_QUESTIONS } from './questions.ts';
import { report } from './report.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** A trial ends with the first wrong reply, long before. */
const REQUESTS = 100_000;

/** The faults are those of an engine over any database. */
const CHOSEN = beforeRelease ? FIXTURES : FIXTURES.slice(0, 1);

describe.each(CHOSEN)(`the oracle on $name (seed ${SEED})`, (fixture) => {
  let stage: Stage;
  let engine: Engine;

  beforeAll(async () => {
    stage = await prepareStage(fixture, SEED);
    engine = await openUnderTest(stage.url, fixture);
  });

  it.each(FAULTS)('finds out an engine that $does', async (error) => {
    const course = {
      engine: broken(engine, error, stage.random),
      // Where others write, what is kept matters, and few questions come back the soonest.
      hot: error.pace && FEW_QUESTIONS,
      pace: error.pace,
      requests: REQUESTS,
      mismatches: 1,
    };
    const findings = await runTrial(stage, course);
    expect(findings.mismatches, `${report(findings)} Seed ${SEED}.`).not.toEqual([]);
  });
});
