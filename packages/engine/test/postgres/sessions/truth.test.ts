/**
 * Holds every reply to callers of the database against the states that it may show, while rows,
 * memberships, policies, functions and rights change. The ordinary run is short:
 *
 *     TRUTH_REPLIES=200000 npx vitest run test/postgres/sessions/truth.test.ts
 */
import { startPostgres } from '@proj/test-servers';
import { expect, it } from 'vitest';

import type { Engine } from '../../../src/index.ts';
import { open } from '../../open.ts';
import { describePostgres, urlOf } from '../server.ts';
import type { Asked } from './truth/requests.ts';
import { sabotageOf, type Sabotage } from './truth/sabotage.ts';
import { WORLD_SQL } from './truth/schema.ts';
import { type Findings, runTrial } from './truth/trial.ts';
import { MODELS } from './truth/world.ts';

const REPLIES = Number(process.env['TRUTH_REPLIES'] ?? 3000);
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);

const TIMEOUT = 60_000 + REPLIES * 100;

const SESSIONS = ['tenant', 'auditor'].map((role) => {
  return { role, settings: ['app.tenant'], trusts: ['grade()', 'stored_level()'] };
});

/** Lets an engine be asked while a new server with the first world changes. */
async function trialOf(
  mistakes: number,
  asked: (engine: Engine) => Asked = (engine) => engine,
): Promise<Findings> {
  const server = await startPostgres({ settings: { log_statement: 'none' } });
  try {
    await server.client(WORLD_SQL);
    const engine = await open(urlOf(server, 'login'), {
      sessions: SESSIONS,
      acceleration: { pageIndexMinOffset: 20 },
    });
    const course = { url: server.url, engine: asked(engine), seed: SEED, mistakes };
    const findings = await runTrial({ ...course, replies: REPLIES });
    await engine.close();
    return findings;
  } finally {
    await server.stop();
  }
}

describePostgres(`replies to callers of the database (seed ${SEED})`, () => {
  it(
    'show one state each, and the newest that was known',
    async () => {
      const { mistakes, failures, verdicts, ...findings } = await trialOf(5);
      console.info({ verdicts, ...findings });
      expect(mistakes, `seed ${SEED}`).toEqual([]);
      expect(Object.fromEntries(failures)).toEqual({});
      expect(verdicts.true).toBeGreaterThan(0);
      expect(findings.commits).toBeGreaterThan(0);
    },
    TIMEOUT,
  );

  const SABOTAGES: readonly Sabotage[] = [
    ...MODELS.map((model) => ({ does: 'keeps replies', model }) as const),
    { does: 'takes the total of the next reply', model: 'orders' },
  ];

  it.each(SABOTAGES)(
    'are found to be wrong where the engine $does of $model',
    async (sabotage) => {
      const { mistakes } = await trialOf(1, (engine) => sabotageOf(engine, sabotage));
      expect(mistakes, `seed ${SEED}`).not.toEqual([]);
      expect(mistakes.map(({ request }) => request.model)).toContain(sabotage.model);
    },
    TIMEOUT,
  );
});
