import type { Engine } from '@proj/engine';
import { type PostgresServer, SEED, startPostgres } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { untilUsable } from '../../replicas/replica-states.ts';
import { urlOf } from '../server.ts';
import type { Asked } from './truth/requests.ts';
import { ROLES_SQL, WORLD_SETTINGS, WORLD_SQL } from './truth/schema.ts';
import { runTrial } from './truth/trial.ts';

const REQUESTS = Number(process.env['TRUTH_REPLIES'] ?? 1000);

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

describe(`replies of a standby to callers of the database (seed ${SEED})`, () => {
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
      openFor: (_primary: string, read: string) => open(read, WORLD_SETTINGS),
      isRead: (reads: number) => reads === 0,
    },
    {
      who: 'a primary or its replica',
      openFor: async (written: string, read: string) => {
        const replicas = { urls: [read], maxLagMs: 60_000 };
        const engine = await open(written, { ...WORLD_SETTINGS, replicas });
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
        requests: REQUESTS,
      });
      expect(mistakes, `seed ${SEED}`).toEqual([]);
      expect([...failures.keys()].filter((failure) => !HELD_UP.test(failure))).toEqual([]);
      expect(found.verdicts.true).toBeGreaterThan(0);
      expect(isRead(engine.replicas?.replicas[0]?.reads ?? 0)).toBe(true);
      await engine.close();
    },
  );
});
