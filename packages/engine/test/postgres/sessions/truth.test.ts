/**
 * Holds every reply to callers of the database against the states that it may show, while rows,
 * memberships, policies, functions and rights change. The ordinary run is short:
 *
 *     TRUTH_REPLIES=200000 npx vitest run packages/engine/test/postgres/sessions/truth.test.ts
 */
import {
  beforeRelease,
  newPostgresDatabase,
  type PostgresServer,
  SEED,
  startPostgres,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Engine } from '../../../src/index.ts';
import { open } from '../../open.ts';
import { untilUsable } from '../../replicas/replica-states.ts';
import { urlOf } from '../server.ts';
import type { Asked } from './truth/requests.ts';
import { sabotageOf, type Sabotage } from './truth/sabotage.ts';
import { ROLES_SQL, WORLD_SQL } from './truth/schema.ts';
import { type Course, type Findings, runTrial } from './truth/trial.ts';
import { MODELS } from './truth/world.ts';

const ASKED = process.env['TRUTH_REPLIES'];
const REQUESTS = Number(ASKED ?? (beforeRelease ? 3000 : 600));

/** A trial of a sabotage ends with the first wrong reply, long before. */
const MOST_REQUESTS = 100_000;

/** Runs of one's own take as long as they take. */
const LIMIT = ASKED === undefined ? {} : { timeout: 0 };

const SESSIONS = ['tenant', 'auditor'].map((role) => {
  return { role, settings: ['app.tenant'], trusts: ['grade()', 'stored_level()'] };
});

const SETTINGS = { sessions: SESSIONS, acceleration: { pageIndexMinOffset: 20 } };

/** Lets an engine be asked while the first world changes in a new database. */
async function trialOf(
  course: Pick<Course, 'mistakes' | 'requests'>,
  asked: (engine: Engine) => Asked = (engine) => engine,
): Promise<Findings> {
  const database = await newPostgresDatabase();
  await database.client(WORLD_SQL);
  const engine = await open(urlOf(database, 'login'), SETTINGS);
  const { url } = database;
  const findings = await runTrial({ ...course, url, engine: asked(engine), seed: SEED });
  await engine.close();
  return findings;
}

/** A standby has the locks of a change from its replay to that of the commit, which may be late. */
const HELD_UP = /canceling statement due to lock timeout/;

/** An engine of which replicas may be asked, too. */
function byReplicas(engine: Engine): Asked {
  const call = { caller: 'reader', replicas: {} };
  return {
    query: (body, grant) => engine.query(body, grant, call),
    facets: (body, grant) => engine.facets(body, grant, call),
    export: (...asked) => engine.export(...asked),
  };
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

  it.each(SABOTAGES)('are found to be wrong where the engine $does of $model', async (sabotage) => {
    const course = { mistakes: 1, requests: MOST_REQUESTS };
    const { mistakes } = await trialOf(course, (engine) => sabotageOf(engine, sabotage));
    expect(mistakes, `seed ${SEED}`).not.toEqual([]);
    expect(mistakes.map(({ request }) => request.model)).toContain(sabotage.model);
  });
});

describe(`replies of a standby to callers of the database (seed ${SEED})`, LIMIT, () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgres({ settings: { log_statement: 'none', wal_keep_size: '256MB' } });
    standby = await primary.startStandby();
    // It shows each commit before the writer hears of it.
    await primary.client(
      `${ROLES_SQL} alter system set synchronous_standby_names = '*';
       alter system set synchronous_commit = 'remote_apply'; select pg_reload_conf()`,
    );
  });
  afterAll(() => Promise.all([primary, standby].map((server) => server.stop())));

  it.each([
    {
      who: 'a standby',
      openFor: (_primary: string, read: string) => open(read, SETTINGS),
      isRead: (reads: number) => reads === 0,
    },
    {
      who: 'a primary or its replica',
      openFor: async (written: string, read: string) => {
        const replicas = { urls: [read], maxLagMs: 60_000 };
        const engine = await open(written, { ...SETTINGS, replicas });
        await untilUsable(engine);
        return engine;
      },
      isRead: (reads: number) => reads > 0,
    },
  ])(
    'show one state each, and the newest that was known, where $who answers',
    async ({ who, openFor, isRead }) => {
      const name = who.replaceAll(' ', '_');
      await primary.client(`create database ${name}`);
      await primary.client(WORLD_SQL, name);
      const urls = [primary, standby].map((server) => urlOf(server, 'login', name)) as [
        string,
        string,
      ];
      const engine = await openFor(...urls);
      const { mistakes, failures, ...found } = await runTrial({
        url: urlOf(primary, 'postgres', name),
        engine: byReplicas(engine),
        seed: SEED,
        mistakes: 5,
        requests: Math.ceil(REQUESTS / 3),
      });
      if (ASKED !== undefined) console.info({ failures, ...found });
      expect(mistakes, `seed ${SEED}`).toEqual([]);
      expect([...failures.keys()].filter((failure) => !HELD_UP.test(failure))).toEqual([]);
      expect(found.verdicts.true).toBeGreaterThan(0);
      expect(isRead(engine.replicas?.replicas[0]?.reads ?? 0)).toBe(true);
      await engine.close();
    },
  );
});
