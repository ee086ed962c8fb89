/**
 * Holds every reply to callers of the database against the states that it may show, while rows,
 * memberships, policies, functions and rights change. The ordinary run is short:
 *
 *     TRUTH_REPLIES=200000 npx vitest run packages/database-tests/test/postgres/sessions/truth.test.ts
 */
import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth, newPostgresDatabase, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { urlOf } from '../server.ts';
import type { Asked } from './truth/requests.ts';
import { sabotageOf, type Sabotage } from './truth/sabotage.ts';
import { ROLES_SQL, WORLD_SETTINGS, WORLD_SQL } from './truth/schema.ts';
import { type Course, type Findings, runTrial } from './truth/trial.ts';
import { MODELS } from './truth/world.ts';

const ASKED = process.env['TRUTH_REPLIES'];
const REQUESTS = Number(ASKED ?? (beforeRelease ? 3000 : 200));

/** A trial of a sabotage ends with the first wrong reply, long before. */
const MOST_REQUESTS = 100_000;

/** Runs of one's own take as long as they take. */
const LIMIT = ASKED === undefined ? {} : { timeout: 0 };

/** Lets an engine be asked while the first world changes in a new database. */
async function trialOf(
  course: Pick<Course, 'mistakes' | 'models' | 'requests'>,
  asked: (engine: Engine) => Asked = (engine) => engine,
): Promise<Findings> {
  const database = await newPostgresDatabase();
  await database.client(WORLD_SQL);
  const engine = await open(urlOf(database, 'login'), WORLD_SETTINGS);
  const { url } = database;
  const findings = await runTrial({ ...course, url, engine: asked(engine), seed: SEED });
  await engine.close();
  return findings;
}

describe(`replies to callers of the database (seed ${SEED})`, LIMIT, () => {
  beforeAll(async () => {
    await (await newPostgresDatabase()).client(ROLES_SQL);
  });

  it('show one state each, and the newest that was known', async () => {
    const { mistakes, failures, ...found } = await trialOf({ mistakes: 5, requests: REQUESTS });
    if (ASKED !== undefined) console.info(found);
    expect(mistakes, `seed ${SEED}`).toEqual([]);
    expect(Object.fromEntries(failures)).toEqual({});
    expect(found.verdicts.true).toBeGreaterThan(0);
    expect(found.commits).toBeGreaterThan(0);
  });

  const SABOTAGES: readonly Sabotage[] = [
    ...MODELS.map((model) => ({ does: 'keeps replies', model }) as const),
    { does: 'takes the total of the next reply', model: 'orders' },
  ];

  it.each(eachNth(3, SABOTAGES))(
    'are found to be wrong where the engine $does of $model',
    async (sabotage) => {
      const course = { mistakes: 1, models: [sabotage.model], requests: MOST_REQUESTS } as const;
      const { mistakes } = await trialOf(course, (engine) => sabotageOf(engine, sabotage));
      expect(mistakes, `seed ${SEED}`).not.toEqual([]);
    },
  );
});
