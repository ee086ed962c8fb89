import { type Engine, EVERYTHING, InvalidPositionError, type ReplicaStatus } from '@proj/engine';
import { beforeRelease, type PostgresServer, startPostgres, until } from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { open } from '../open.ts';
import { startProxy } from '../proxy.ts';
import { Ledger, LEDGER, LedgerReport, look } from './ledger.ts';
import { faultsOf, untilUsable } from './replica-states.ts';

/** A standby is not read from when it may be further behind. */
const MAX_LAG_MS = 1000;

const NOISE = 'create table noise (id int primary key, n int); insert into noise values (1, 1)';

/** A view that is read by a standby until that cancels it for what the primary removes. */
const SLOW_VIEW = `
  create view slow as
  select id, word from ledger
  where (select pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)) is not null`;

/** Asks a standby whether it reads that view. */
const isRead = `select count(*) > 0 from pg_stat_activity where query like '%"slow"%' and pid <> pg_backend_pid() and state = 'active'`;

/** So often one caller writes and looks. */
const ROUNDS = beforeRelease ? 20 : 5;

/** So often standbys answer those who look while others write. */
const REPLIES = beforeRelease ? 200 : 50;

describe('reads from standbys of PostgreSQL', () => {
  let primary: PostgresServer;
  let standbys: readonly PostgresServer[] = [];
  let engine: Engine;
  const ledger = new Ledger();
  let writer: Client;
  let noise: Client;

  beforeAll(async () => {
    primary = await startPostgres({
      settings: { wal_keep_size: '256MB', log_statement: 'none', autovacuum: 'off' },
    });
    await primary.client(`${LEDGER}; ${NOISE}; ${SLOW_VIEW}`);
    standbys = await primary.startStandbys(2);
    [writer, noise] = [1, 2].map(() => new Client({ connectionString: primary.url })) as [
      Client,
      Client,
    ];
    await Promise.all([writer.connect(), noise.connect()]);
    engine = await openWith(standbys.map(({ url }) => url));
    await untilUsable(engine);
  });
  afterAll(async () => {
    await Promise.all([writer.end(), noise.end()]);
    await Promise.all([primary, ...standbys].map((server) => server.stop()));
  });

  function openWith(urls: readonly string[]): Promise<Engine> {
    return open(primary.url, {
      replicas: { urls, maxLagMs: MAX_LAG_MS },
      models: { slow: { key: ['id'] } },
      queryTimeoutMs: 60_000,
    });
  }

  /** Has commits from now on wait until standbys of these names have them. */
  async function waitForStandbys(names: string): Promise<void> {
    const set = `alter system set synchronous_standby_names = '${names}'`;
    await primary.client(`${set}; select pg_reload_conf()`);
  }

  async function addRecord(): Promise<void> {
    await writer.query('insert into ledger values ($1, $2)', [ledger.length + 1, 'word']);
    ledger.noteCommit();
  }

  async function addRecordAndNoise(): Promise<void> {
    await Promise.all([addRecord(), noise.query('update noise set n = n + 1')]);
  }

  it('show no caller an older state, no mixed one, and none older than its age says', async () => {
    await setDelay(standbys[0], '150ms');
    const report = new LedgerReport(ledger);
    const ended = new AbortController();
    const callers = ['a', 'a', 'b', 'c'].map((name, index) =>
      report.follow(engine, `${name}${index}`, ended.signal),
    );
    const writing = report.writeBetween(addRecordAndNoise, ended.signal);
    await until(() => report.fromReplica > REPLIES && report.facetsFromReplica > 0).finally(() =>
      ended.abort(),
    );
    await Promise.all([...callers, writing]);
    await setDelay(standbys[0], '0');
    expect(report.wrong).toEqual([]);
  });

  it('go on from what the caller was shown by another service', async () => {
    const other = await openWith([standbys[1]?.url ?? '']);
    await untilUsable(other);
    await setDelay(standbys[1], '400ms');
    const report = new LedgerReport(ledger);
    for (let round = 0; round < ROUNDS; round++) {
      await addRecord();
      const { total, position } = await look(engine, { caller: 'x' });
      await report.lookOnce(other, 'y', total, position);
    }
    await setDelay(standbys[1], '0');
    expect(report.wrong).toEqual([]);
  });

  it("include the caller's own write, whose LSN it brings", async () => {
    const report = new LedgerReport(ledger);
    for (let round = 0; round < ROUNDS; round++) {
      await addRecord();
      const { rows } = await writer.query<{ lsn: string }>(
        'select pg_current_wal_insert_lsn()::text as lsn',
      );
      await report.lookOnce(engine, `writer ${round}`, ledger.length, rows[0]?.lsn);
    }
    expect(report.wrong).toEqual([]);
  });

  it('have the page of a record that the standby has, and of the own write elsewhere', async () => {
    const [standby] = standbys;
    const one = await open(primary.url, {
      replicas: { urls: [standby?.url ?? ''], maxLagMs: 60_000 },
      queryTimeoutMs: 60_000,
    });
    await untilUsable(one);
    await standby?.client('select pg_wal_replay_pause()');
    await addRecord();
    const { rows } = await writer.query<{ lsn: string }>(
      'select pg_current_wal_insert_lsn()::text as lsn',
    );
    const [id, atLeast] = [ledger.length, rows[0]?.lsn];
    const pageOf = (caller: string, replicas: { readonly atLeast?: string | undefined }) =>
      one.query(
        {
          query_model: 'ledger',
          query_attributes: ['id'],
          page: { containing: { id }, size: 1 },
        },
        EVERYTHING,
        { caller, replicas },
      );
    // The reply of a standby is of the state that it has.
    await expect(pageOf('reader', {})).rejects.toMatchObject({
      errors: [{ code: 'record_not_in_list' }],
    });
    expect(one.replicas?.replicas[0]).toMatchObject({ reads: 1, failedReads: 0 });
    const own = await pageOf('writer', { atLeast });
    expect(own).toMatchObject({ page: { page: String(id), total: String(id) } });
    expect(own.state?.ageMs).toBe(0);
    await standby?.client('select pg_wal_replay_resume()');
  });

  it('show no commit before the primary shows it, which may wait for a synchronous standby', async () => {
    await waitForStandbys('nobody');
    const waiting = `select count(*) > 0 from pg_stat_activity where wait_event = 'SyncRep'`;
    let adding = Promise.resolve();
    // The setting reaches the server a moment later, and commits until then do not wait.
    await until(async () => {
      const { length } = ledger;
      adding = Promise.all([adding, addRecord()]).then(() => undefined);
      await until(async () => ledger.length > length || (await primary.client(waiting)) === 't');
      return ledger.length === length;
    });
    const count = 'select count(*) from ledger';
    await until(async () => {
      const counts = await Promise.all(standbys.map((one) => one.client(count)));
      return counts.every((shown) => shown === String(ledger.length + 1));
    });
    const before = engine.replicas?.reads.ahead ?? 0;
    const sight = await look(engine, { caller: 'w' });
    expect(sight).toMatchObject({ total: ledger.length, isPrimary: true });
    expect(engine.replicas?.reads.ahead).toBe(before + 1);
    await waitForStandbys('');
    await adding;
    await until(async () => !(await look(engine, { caller: 'w' })).isPrimary);
  });

  it('go to the primary for a position of another timeline or cluster, or one past its end', async () => {
    const { position } = await look(engine, { caller: 'z' });
    const [, cluster] = position.split('.');
    for (const atLeast of [`0/1@7.${cluster}`, '0/1@1.AAAAAAAA'])
      expect(await look(engine, { caller: 'z', atLeast })).toMatchObject({ isPrimary: true });
    const beyond = await look(engine, { caller: 'z', atLeast: 'FFFF/0' });
    expect(beyond.total).toBe(ledger.length);
  });

  it('are refused where the position is none', async () => {
    for (const atLeast of [
      '',
      'soon',
      '0-1-12',
      '0/16B3748@',
      '0/16B3748@1',
      '1/2/3',
      '0/123456789',
    ])
      await expect(look(engine, { caller: 'z', atLeast })).rejects.toThrow(InvalidPositionError);
  });

  it('go on at the primary when the standby cancels them', async () => {
    await standbys[0]?.client(
      'alter system set max_standby_streaming_delay = 0; select pg_reload_conf()',
    );
    const one = await openWith([standbys[0]?.url ?? '']);
    await untilUsable(one);
    await addRecord();
    const body = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const answer = one.query(body, EVERYTHING, { caller: 'slow', replicas: {} });
    await until(async () => (await standbys[0]?.client(isRead)) === 't');
    await primary.client('update ledger set word = word; vacuum ledger');
    expect((await answer).state?.ageMs).toBe(0);
    expect(one.replicas?.replicas[0]).toMatchObject({ failedReads: 1, reads: 0 });
  });

  it('go on at the primary when the standby freezes, before their time limit', async () => {
    const one = await openWith([standbys[1]?.url ?? '']);
    await untilUsable(one);
    const body = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const answer = one.query(body, EVERYTHING, { caller: 'frozen', replicas: {} });
    await until(async () => (await standbys[1]?.client(isRead)) === 't');
    const thaw = await freeze(standbys[1]);
    try {
      expect((await answer).state?.ageMs).toBe(0);
    } finally {
      thaw();
    }
    expect(one.replicas?.replicas[0]).toMatchObject({ failedReads: 1, reads: 0 });
    await Promise.all([one, engine].map(untilUsable));
  });

  it('leave out a standby that falls behind, until it has caught up', async () => {
    await Promise.all(standbys.map((one) => one.client('select pg_wal_replay_pause()')));
    await addRecord();
    await until(() => engine.replicas?.replicas.every(isBehind) === true);
    expect((await look(engine, { caller: 'late' })).isPrimary).toBe(true);
    await Promise.all(standbys.map((one) => one.client('select pg_wal_replay_resume()')));
    await untilUsable(engine);
  });

  it('begin when a standby that was away at the start is back', async () => {
    const [standby] = standbys;
    await standby?.halt();
    const one = await openWith([standby?.url ?? '']);
    expect((await look(one, { caller: 'early' })).isPrimary).toBe(true);
    await one.replicaReport();
    expect(one.replicas?.replicas[0]?.problem?.fault).toBe('unreachable');
    await standby?.restart();
    await untilUsable(one);
    await until(async () => !(await look(one, { caller: 'early' })).isPrimary);
  });

  it('do not go to another cluster, nor to a standby that was promoted', async () => {
    const known = await primary.client('select system_identifier from pg_control_system()');
    const stranger = await startProxy(Number(new URL(standbys[0]?.url ?? '').port), {
      renamed: [known.replace(/^./, '9'), known],
    });
    onTestFinished(() => stranger.close());
    const other = await openWith([`postgres://postgres@127.0.0.1:${stranger.port}/postgres`]);
    await other.replicaReport();
    expect(other.replicas?.replicas[0]?.problem?.fault).toBe('other_cluster');
    const faults = faultsOf(engine);
    await standbys[1]?.client('select pg_promote()');
    await until(() => faults.includes('not_a_replica'));
    const report = new LedgerReport(ledger);
    for (let round = 0; round < ROUNDS; round++) await report.lookOnce(engine, 'after', 0);
    expect(report.wrong).toEqual([]);
  });
});

function isBehind({ problem }: ReplicaStatus): boolean {
  return problem?.fault === 'lagging';
}

async function setDelay(standby: PostgresServer | undefined, delay: string): Promise<void> {
  const set = `alter system set recovery_min_apply_delay = '${delay}'; select pg_reload_conf()`;
  await standby?.client(set);
}

/** @returns has its processes go on */
async function freeze(server: PostgresServer | undefined): Promise<() => void> {
  const others = 'select pid from pg_stat_activity where pid <> pg_backend_pid()';
  const pids = [server?.pid, ...((await server?.client(others)) ?? '').split('\n')].map(Number);
  const send = (signal: NodeJS.Signals): void => pids.forEach((pid) => process.kill(pid, signal));
  send('SIGSTOP');
  return () => send('SIGCONT');
}
