import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Engine } from '../../src/index.ts';
import { FIXTURES } from '../fixtures/index.ts';
import { openUnderTest } from './engine-under-test.ts';
import { report } from './report.ts';
import { SABOTAGES } from './sabotage.ts';
import { STORES } from './store.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);

/** A trial ends with the first wrong reply, long before. */
const SECONDS = 100;
const TIMEOUT_MS = 150_000;

/** The mechanisms work where the database reports the version of its data. */
const VERSIONED = FIXTURES.filter(({ name }) => STORES[name]?.mechanisms.includes('total_memo'));

describe.each(VERSIONED)(
  `a broken mechanism on $name (seed ${SEED})`,
  { timeout: TIMEOUT_MS },
  (fixture) => {
    let stage: Stage;
    let engine: Engine;
    beforeAll(async () => {
      stage = await prepareStage(fixture, SEED);
      engine = await openUnderTest(stage.url, fixture);
    });
    afterEach(() => {
      vi.restoreAllMocks();
    });

    it.each(SABOTAGES)('is found out when $does', async ({ pace, commit }) => {
      commit();
      const findings = await runTrial(stage, { engine, pace, seconds: SECONDS, mismatches: 1 });
      expect(findings.mismatches, `${report(findings)} Seed ${SEED}.`).not.toEqual([]);
    });
  },
);
