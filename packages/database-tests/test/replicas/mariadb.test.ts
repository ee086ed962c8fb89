import type { Engine } from '@proj/engine';
import { beforeRelease, type MariadbServer, startMariadb, until } from '@proj/test-servers';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeMariadb, useOwnMariadb } from '../mysql/mariadb.ts';
import { open } from '../open.ts';
import { Ledger, LEDGER, LedgerReport, look } from './ledger.ts';
import { faultsOf, untilUsable } from './replica-states.ts';

/** A replica is not read from when it may be further behind. */
const MAX_LAG_MS = 1000;

/** So often one caller writes and looks. */
const ROUNDS = beforeRelease ? 20 : 6;

/** So often the replica answers those who look while others write. */
const REPLIES = beforeRelease ? 100 : 20;

describeMariadb('reads from replicas of MariaDB', () => {
  const primary = useOwnMariadb({
    settings: ['log-bin', 'server-id=1', 'general-log=off'],
    sql: `${LEDGER}; create table noise (id int primary key, n int); insert into noise values (1, 1)`,
  });
  let replica: MariadbServer;
  let engine: Engine;
  let writer: Connection;
  let noise: Connection;
  const ledger = new Ledger();

  beforeAll(async () => {
    replica = await primary().startReplica();
    await replica.client('set global read_only = 1');
    writer = await createConnection(primary().url);
    noise = await createConnection(primary().url);
    await addRecord();
    const count = `select count(*) from information_schema.tables where table_name = 'noise'`;
    await until(async () => (await replica.client(count)) === '1');
    engine = await openWith(replica.url);
    await untilUsable(engine);
  });
  afterAll(async () => {
    await Promise.all([writer.end(), noise.end()]);
    await replica.stop();
  });

  function openWith(url: string): Promise<Engine> {
    return open(primary().url, {
      replicas: { urls: [url], maxLagMs: MAX_LAG_MS },
      queryTimeoutMs: 60_000,
    });
  }

  async function addRecord(): Promise<void> {
    await writer.query('insert into ledger values (?, ?)', [ledger.length + 1, 'word']);
    ledger.noteCommit();
  }

  async function addRecordAndNoise(): Promise<void> {
    await Promise.all([addRecord(), noise.query('update noise set n = n + 1')]);
  }

  it('show no caller an older state, no mixed one, and none older than its age says', async () => {
    const report = new LedgerReport(ledger);
    const ended = new AbortController();
    const callers = ['a', 'b', 'c'].map((name) => report.follow(engine, name, ended.signal));
    const writing = report.writeBetween(addRecordAndNoise, ended.signal);
    await until(() => report.fromReplica > REPLIES && report.facetsFromReplica > 0).finally(() =>
      ended.abort(),
    );
    await Promise.all([...callers, writing]);
    expect(report.wrong).toEqual([]);
  });

  it("include the caller's own write, whose id it brings", async () => {
    const report = new LedgerReport(ledger);
    for (let round = 0; round < ROUNDS; round++) {
      if (round === ROUNDS / 2) await replica.client('stop slave sql_thread');
      await addRecord();
      const [rows] = await writer.query('select @@last_gtid as id');
      const [{ id = '' } = {}] = rows as { id?: string }[];
      expect(id).toMatch(/^0-1-\d+$/);
      await report.lookOnce(engine, `writer ${round}`, ledger.length, id);
    }
    await replica.client('start slave sql_thread');
    expect(report.wrong).toEqual([]);
  });

  it('are refused where the position is none', async () => {
    for (const atLeast of ['', 'soon', '0/16B3748', '0-1'])
      await expect(look(engine, { caller: 'z', atLeast })).rejects.toThrow('names no position');
  });

  it('leave out a replica that falls behind, until it has caught up', async () => {
    const faults = faultsOf(engine);
    await replica.client('stop slave sql_thread');
    await addRecord();
    await until(() => faults.includes('lagging'));
    expect((await look(engine, { caller: 'late' })).isPrimary).toBe(true);
    await replica.client('start slave sql_thread');
    await until(() => faults.includes(undefined));
  });

  it('do not go to a server with transactions of its own, nor to one that takes writes', async () => {
    const stranger = await startMariadb({ settings: ['server-id=9'] });
    await stranger.client(`set global gtid_slave_pos = '0-9-1000000'; set global read_only = 1`);
    const other = await openWith(stranger.url);
    await other.replicaReport();
    expect(other.replicas?.replicas[0]?.problem?.fault).toBe('ahead');
    await stranger.stop();
    const faults = faultsOf(engine);
    await replica.client('set global read_only = 0');
    await until(() => faults.includes('not_a_replica'));
    expect((await look(engine, { caller: 'after' })).isPrimary).toBe(true);
  });
});
