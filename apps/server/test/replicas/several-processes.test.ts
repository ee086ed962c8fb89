import {
  type PostgresServer,
  type RedisServer,
  type RunningService,
  startPostgres,
  startRedis,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { until } from '../helper.ts';
import { withoutRedis } from '../limits/without-redis.ts';
import { readMetrics, valueOf } from '../metrics-text.ts';
import { startServer } from '../server-process.ts';
import { settingsFile } from '../settings-files.ts';
import { askForNotes, NOTES, ROLES, totalOf } from './notes.ts';

/** What is not known of a caller has to be shared for longer than these tests take. */
const MAX_LAG_MS = 600_000;

let primary: PostgresServer;
/** Replays nothing, and is the one that reads go to first. */
let older: PostgresServer;
let fresh: PostgresServer;
beforeAll(async () => {
  primary = await startPostgres({ settings: { wal_keep_size: '256MB', max_connections: '100' } });
  await primary.client(NOTES);
  older = await primary.startStandby();
  fresh = await primary.startStandby();
});
afterAll(() => Promise.all([primary, older, fresh].map((server) => server.stop())));

interface Replicated extends RunningService {
  /** A metric of a standby. */
  readonly metricOf: (name: string, standby: PostgresServer) => Promise<number>;
  /** How many reads a standby has answered. */
  readonly readsOf: (standby: PostgresServer) => Promise<number>;
}

/** Starts a service whose standbys are usable, in an older state from then on. */
async function start(more: string, ...flags: readonly string[]): Promise<Replicated> {
  const replicas = `{ urls: [${older.url}, ${fresh.url}], max_lag_ms: ${MAX_LAG_MS} }`;
  const config = settingsFile(
    `database: ${primary.url}\nexpose: all\nreplicas: ${replicas}\n` +
      `metrics: { port: 0 }\n${more}${ROLES}`,
  );
  const server = await startServer(['--config', config, ...flags]);
  const metrics = async () => readMetrics(await (await fetch(server.metricsUrl)).text());
  const metricOf: Replicated['metricOf'] = async (name, { url }) =>
    valueOf(await metrics(), `dynamic_query_replica_${name}`, { replica: new URL(url).host }) ?? 0;
  const readsOf = (standby: PostgresServer): Promise<number> => metricOf('reads_total', standby);
  return { ...server, metricOf, readsOf };
}

/** Holds a standby back until the test ends. */
async function holdBack(standby: PostgresServer): Promise<void> {
  await standby.client('select pg_wal_replay_pause()');
  onTestFinished(() => standby.client('select pg_wal_replay_resume()').then(() => undefined));
}

/** Adds a note, and returns the position behind it and how many there are. */
async function addNote(): Promise<{ readonly position: string; readonly total: number }> {
  await primary.client('insert into notes select max(id) + 1 from notes');
  const [position = '', total] = (
    await primary.client('select pg_current_wal_insert_lsn(), (select count(*) from notes)')
  ).split('|');
  return { position, total: Number(total) };
}

/**
 * Has a caller see a note through the first of some services, and asks all of them for the notes,
 * twice. Returns what was shown of too few notes.
 */
async function lookAround(origins: readonly string[]): Promise<string[]> {
  const { position, total } = await addNote();
  const [first = ''] = origins;
  const reply = await askForNotes(first, 'analyst', { 'data-at-least': position });
  const seen = [await totalOf(reply)];
  for (const origin of [...origins, ...origins])
    seen.push(await totalOf(await askForNotes(origin, 'analyst')));
  return seen.filter((notes) => notes < total).map((notes) => `${notes} of ${total}`);
}

/** Which process has logged a reply. */
function answererOf(output: string, { headers }: Response): number | undefined {
  const id = headers.get('x-request-id') ?? '';
  const line = output
    .split('\n')
    .find((text) => text.includes('"msg":"answered"') && text.includes(id));
  return line === undefined ? undefined : (JSON.parse(line) as { pid: number }).pid;
}

describe('what a caller has seen through one process of several', () => {
  it('is what it sees through another worker at least, also from another standby, and while the worker is replaced that has shown it', async () => {
    const { origin, metricOf, output, readsOf } = await start('', '--workers', '2');
    expect(await metricOf('usable', fresh)).toBe(1);
    await holdBack(older);
    const wrong: string[] = [];
    for (let round = 0; round < 10; round++) wrong.push(...(await lookAround([origin, origin])));
    expect(wrong).toEqual([]);
    await until(async () => {
      wrong.push(...(await lookAround([origin, origin])));
      return (await readsOf(fresh)) > 10;
    });
    expect(wrong).toEqual([]);

    const { position, total } = await addNote();
    const reply = await askForNotes(origin, 'analyst', { 'data-at-least': position });
    await until(() => answererOf(output(), reply) !== undefined);
    process.kill(answererOf(output(), reply) ?? 0, 'SIGKILL');
    await until(() => output().includes('a worker has ended; another one is started'));
    const totals: number[] = [];
    const look = async (): Promise<void> => {
      totals.push(await totalOf(await askForNotes(origin, 'analyst')));
    };
    await until(async () => {
      await look();
      return output().includes('a worker was started again');
    });
    for (let more = 0; more < 4; more++) await look();
    expect(totals.filter((notes) => notes < total)).toEqual([]);
  });

  it.skipIf(withoutRedis)(
    'is what it sees through another service at least, where both have one Redis',
    async () => {
      const redis: RedisServer = await startRedis();
      onTestFinished(() => redis.stop());
      const more = `rate_limits: { redis: '${redis.url}' }\n`;
      const [one, other] = await Promise.all([start(more), start(more)]);
      await holdBack(older);
      const origins = [one.origin, other.origin];
      const wrong: string[] = [];
      await until(async () => {
        wrong.push(...(await lookAround(origins)), ...(await lookAround(origins.toReversed())));
        return (await other.readsOf(fresh)) > 10 && (await one.readsOf(fresh)) > 10;
      });
      expect(wrong).toEqual([]);
      await redis.halt();
      const before = [await one.readsOf(fresh), await other.readsOf(fresh)];
      for (let round = 0; round < 3; round++) wrong.push(...(await lookAround(origins)));
      // A service that finds Redis back when it dials it anew says nothing of an outage.
      await until(() =>
        [one, other].every(({ output }) => output().includes('Redis does not answer')),
      );
      await redis.restart();
      await until(() => other.output().includes('replicas are read from in a moment'));
      for (let round = 0; round < 3; round++) wrong.push(...(await lookAround(origins)));
      expect([await one.readsOf(fresh), await other.readsOf(fresh)]).toEqual(before);
      expect(wrong).toEqual([]);
    },
  );
});
