import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Fixture } from '../fixtures/fixture.ts';
import { askedOf, openUnderTest } from './engine-under-test.ts';
import { FEED_SABOTAGES } from './feed-sabotage.ts';
import { followedPostgres } from './followed.ts';
import { FEW_QUESTIONS } from './questions.ts';
import { report } from './report.ts';
import { type Sabotage, SABOTAGES } from './sabotage.ts';
import { STORES } from './store.ts';
import { TRIED } from './tried.ts';
import { prepareStage, runTrial, type Stage } from './trial.ts';

/** A trial ends with the first wrong reply, long before. */
const REQUESTS = 100_000;

/** The mechanisms work where the database reports the version of its data. */
const VERSIONED = TRIED.filter(({ name }) => STORES[name]?.mechanisms.includes('total_cache'));

/** What is broken is the engine's; every commit breaks some of it on one database, and of the feed. */
const CHOSEN = beforeRelease
  ? VERSIONED
  : VERSIONED.filter(({ name }) => name === 'PostgreSQL' || name === followedPostgres.name);

describe.each(CHOSEN)(`a broken mechanism on $name (seed ${SEED})`, (fixture) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await prepareStage(fixture, SEED);
  });
  afterAll(() => stage.close());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  for (const { does, pace, commit } of sabotagesOf(fixture))
    it(`is found out when ${does}`, async () => {
      commit();
      // What an engine keeps outlives what broke it.
      const engine = await openUnderTest(stage.readUrl, fixture);
      const findings = await runTrial(stage, {
        engine: askedOf(engine, fixture),
        hot: FEW_QUESTIONS,
        pace,
        requests: REQUESTS,
        mismatches: 1,
      });
      await engine.close();
      expect(findings.mismatches, `${report(findings)} Seed ${SEED}.`).not.toEqual([]);
    });
});

function sabotagesOf(fixture: Fixture): readonly Sabotage[] {
  if (fixture !== followedPostgres) return eachNth(3, SABOTAGES);
  if (!beforeRelease) return eachNth(3, FEED_SABOTAGES);
  return [...SABOTAGES.filter((one) => one.isUnfollowed !== true), ...FEED_SABOTAGES];
}
