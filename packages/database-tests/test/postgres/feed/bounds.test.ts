import { createServer } from 'node:net';

import type { FeedStatus, FollowSettings } from '@proj/engine';
import { listenOnFreePort, until } from '@proj/test-servers';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { FeedBounds } from '../../../../postgres/src/feed/session/feed-session.ts';
import type { Source } from '../../../../engine/src/sources/source.ts';
import { connect, usePostgres } from '../server.ts';
import { CheckedReading, follow } from './checked-reading.ts';
import {
  feedOf,
  openFollowing,
  readAll,
  readFollowed,
  RELATION_VERSION,
  reportedOf,
} from './followed.ts';

const SQL = `
  create table notes (id int primary key, note text);
  insert into notes values (1, 'old');
  create table filled (id int generated always as identity, filler text);
  create publication dynamic_query for table notes`;

const NOTES = ['public', 'notes'];

const BOUNDS: FeedBounds = {
  lagBytes: 2 ** 29,
  heldBackBytes: 2 ** 30,
  startMs: 30_000,
  openMs: 60_000,
};

const MEBIBYTE = 2 ** 20;

/** More of the log than the tests allow. */
const FILL = `insert into filled (filler) select repeat('x', 1000) from generate_series(1, 4000)`;

const SLOTS = `select active_pid as pid from pg_replication_slots`;

function statusOf(source: Source): FeedStatus {
  return feedOf(source).status;
}

/** The only process that sends changes. */
async function senderOf(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ pid: number }>(SLOTS);
  return rows[0]?.pid ?? 0;
}

/** Until the test is done. */
function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
}

async function readsAsWithoutFeed(source: Source): Promise<void> {
  const { text, version } = await readAll(source, NOTES);
  expect(text).toContain('(1,');
  expect(version).not.toMatch(RELATION_VERSION);
}

describe('what a change feed may cost its server', () => {
  const postgres = usePostgres(SQL);

  const connected = (): Promise<Client> => connect(postgres().url);

  const openWith = (bounds: Partial<FeedBounds>, asked: FollowSettings = true): Promise<Source> =>
    openFollowing(postgres().url, { follow: asked, feedBounds: { ...BOUNDS, ...bounds } });

  it('ends where it is too far behind, even while its process is stopped', async () => {
    const sql = await connected();
    const source = await openWith({ lagBytes: MEBIBYTE });
    await readFollowed(source, NOTES);
    const pid = await senderOf(sql);
    stop(pid);
    await sql.query(FILL);
    await readsAsWithoutFeed(source);
    await until(() => statusOf(source).drops.size > 0);
    expect(statusOf(source).drops).toEqual(new Map([['behind', 1]]));
    await readFollowed(source, NOTES);
  });

  it('holds no snapshot for longer than it may while it is late', async () => {
    const sql = await connected();
    const source = await openWith({}, { snapshotSeconds: 3 });
    await readFollowed(source, NOTES);
    const pid = await senderOf(sql);
    const reading = await CheckedReading.over(source);
    const filter = { attribute: 'note', op: 'eq', value: 'old' };
    const list = { model: 'notes', filter, offset: 0, size: 10 };
    await follow(reading, list, 'followed_total');
    stop(pid);
    expect(statusOf(source).snapshotSeconds).toBeGreaterThan(0);
    await sql.query(FILL);
    await until(() => statusOf(source).snapshotSeconds === 0);
    expect([statusOf(source).state, statusOf(source).recounts]).toEqual(['following', 1]);
  });

  it('ends where an open transaction has the server keep too much, until that is over', async () => {
    const [sql, holder] = [await connected(), await connected()];
    const source = await openWith({ heldBackBytes: MEBIBYTE, startMs: 200 });
    const reported = reportedOf(source);
    await readFollowed(source, NOTES);
    await holder.query(`begin; update notes set note = 'open'`);
    await sql.query(FILL);
    await until(() => statusOf(source).reason === 'open_transactions');
    await readsAsWithoutFeed(source);
    expect(statusOf(source).drops).toEqual(new Map([['held_back', 1]]));
    await holder.query('commit');
    expect((await readFollowed(source, NOTES)).text).toContain('open');
    // On a busy machine its first starts may be late as well.
    expect(reported.slice(reported.indexOf('following'))).toEqual([
      'following',
      'stopped held_back',
      'stopped open_transactions',
      'following',
    ]);
  });

  it('is given up where the server that it connects to never answers', async () => {
    const silent = createServer();
    const port = await listenOnFreePort(silent);
    onTestFinished(() => void silent.close());
    const source = await openWith({ openMs: 200 }, { url: `postgres://127.0.0.1:${port}/db` });
    await readsAsWithoutFeed(source);
    await until(() => statusOf(source).reason === 'connection');
    expect(statusOf(source).message).toBe('the server let nobody follow it for 200 ms');
    await readsAsWithoutFeed(source);
  });

  it('has no slot left that waits for an open transaction, be it given up or closed', async () => {
    const [sql, holder] = [await connected(), await connected()];
    const waiting = `select count(*)::int as slots from (${SLOTS}) s`;
    const slots = async (): Promise<number> =>
      (await sql.query<{ slots: number }>(waiting)).rows[0]?.slots ?? 0;
    await until(async () => (await slots()) === 0);
    await holder.query(`begin; update notes set note = 'open'`);
    const impatient = await openWith({ startMs: 200 });
    await readsAsWithoutFeed(impatient);
    await until(async () => (await slots()) === 1);
    await until(() => statusOf(impatient).reason === 'open_transactions');
    expect(statusOf(impatient).message).toContain('longer than 200 ms');
    await until(async () => (await slots()) === 0);
    const patient = await openWith({});
    await impatient.close();
    await readsAsWithoutFeed(patient);
    await until(async () => (await slots()) === 1);
    await patient.close();
    await until(async () => (await slots()) === 0);
    await holder.query('rollback');
  });
});
