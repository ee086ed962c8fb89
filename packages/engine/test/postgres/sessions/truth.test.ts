/**
 * Holds every reply to callers of the database against the states that it may show, while rows,
 * memberships, policies, functions and rights change. The ordinary run is short:
 *
 *     TRUTH_REPLIES=200000 npx vitest run test/postgres/sessions/truth.test.ts
 */
import { startPostgres } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import type { Engine } from '../../../src/index.ts';
import { open } from '../../open.ts';
import { untilUsable } from '../../replicas/replica-states.ts';
import { urlOf } from '../server.ts';
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

const SETTINGS = { sessions: SESSIONS, acceleration: { pageIndexMinOffset: 20 } };

/** Lets an engine be asked while a new server with the first world changes. */
async function trialOf(
  mistakes: number,
  asked: (engine: Engine) => Asked = (engine) => engine,
): Promise<Findings> {
  const server = await startPostgres({ settings: { log_statement: 'none' } });
  try {
    await server.client(WORLD_SQL);
    const engine = await open(urlOf(server, 'login'), SETTINGS);
    const course = { url: server.url, engine: asked(engine), seed: SEED, mistakes };
    const findings = await runTrial({ ...course, replies: REPLIES });
    await engine.close();
    return findings;
  } finally {
    await server.stop();
  }
}

/** A standby has the locks of a change from its replay to that of the commit, which may be late. */
const HELD_UP = /canceling statement due to lock timeout/;

/** What is found where a standby is read. */
interface StandbyFindings extends Findings {
  /** How many reads a service sent to its replica. */
  readonly readsOfReplica: number;
}

/** An engine of which replicas may be asked, too. */
function byReplicas(engine: Engine): Asked {
  const call = { caller: 'reader', replicas: {} };
  return {
    query: (body, grant) => engine.query(body, grant, call),
    facets: (body, grant) => engine.facets(body, grant, call),
    export: (...asked) => engine.export(...asked),
  };
}

/** The same where a standby is read, which shows each commit before the writer hears of it. */
async function trialOfStandby(
  openFor: (primary: string, standby: string) => Promise<Engine>,
): Promise<StandbyFindings> {
  const primary = await startPostgres({
    settings: { log_statement: 'none', wal_keep_size: '256MB' },
  });
  const standby = await primary.startStandby();
  try {
    await primary.client(WORLD_SQL);
    await primary.client(
      `alter system set synchronous_standby_names = '*';
       alter system set synchronous_commit = 'remote_apply'; select pg_reload_conf()`,
    );
    const engine = await openFor(urlOf(primary, 'login'), urlOf(standby, 'login'));
    const course = { url: primary.url, engine: byReplicas(engine), seed: SEED, mistakes: 5 };
    const findings = await runTrial({ ...course, replies: Math.ceil(REPLIES / 3) });
    const readsOfReplica = engine.replicas?.replicas[0]?.reads ?? 0;
    await engine.close();
    return { ...findings, readsOfReplica };
  } finally {
    await Promise.all([primary, standby].map((server) => server.stop()));
  }
}

describe(`replies to callers of the database (seed ${SEED})`, () => {
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

  it.each([
    {
      who: 'a standby',
      openFor: (_primary: string, standby: string) => open(standby, SETTINGS),
      isRead: (reads: number) => reads === 0,
    },
    {
      who: 'a primary or its replica',
      openFor: async (primary: string, standby: string) => {
        const replicas = { urls: [standby], maxLagMs: 60_000 };
        const engine = await open(primary, { ...SETTINGS, replicas });
        await untilUsable(engine);
        return engine;
      },
      isRead: (reads: number) => reads > 0,
    },
  ])(
    'show one state each, and the newest that was known, where $who answers',
    async ({ openFor, isRead }) => {
      const { mistakes, failures, verdicts, ...findings } = await trialOfStandby(openFor);
      console.info({ verdicts, failures, ...findings });
      expect(mistakes, `seed ${SEED}`).toEqual([]);
      expect([...failures.keys()].filter((failure) => !HELD_UP.test(failure))).toEqual([]);
      expect(verdicts.true).toBeGreaterThan(0);
      expect(isRead(findings.readsOfReplica)).toBe(true);
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
