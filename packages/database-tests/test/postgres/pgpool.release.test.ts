import { SettingsError } from '@proj/engine';
import {
  hasPgpool,
  type Pgpool,
  type PostgresServer,
  startPgpool,
  startPostgres,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { open } from '../open.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { connect } from './server.ts';

/** How many records the standby shows, and how many the primary: each record says so. */
const FIRST = 2000;
const SECOND = 2500;

/** A table has versions, which are read from the primary; a view over a function has none. */
const SQL = `
  ${COUNTED_TABLE} ${fillCounted(FIRST)}
  create function moment() returns int language sql stable as 'select 0';
  create view unversioned as select id, rows + moment() as rows from counted;`;

/** What the standby never sees, whose replay is paused. */
const MORE = `
  begin;
  insert into counted select id, 0 from generate_series(${FIRST + 1}, ${SECOND}) as id;
  update counted set rows = ${SECOND};
  commit`;

/** Each read goes to any server, unless it calls one of these functions. */
const BY_STATEMENT = { statement_level_load_balance: 'on', write_function_list: 'nextval' };

const available = hasPgpool() || process.env['CI'] !== undefined;

(available ? describe : describe.skip)('an engine behind Pgpool-II', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgres({ settings: { wal_keep_size: '256MB', max_connections: '100' } });
    await primary.client(SQL);
    standby = await primary.startStandby();
    await standby.client('select pg_wal_replay_pause()');
    const paused = `select pg_get_wal_replay_pause_state() = 'paused'`;
    await until(async () => (await standby.client(paused)) === 't');
    await primary.client(MORE);
  });
  afterAll(() => Promise.all([primary.stop(), standby.stop()]));

  async function startBalancing(settings: Record<string, string>): Promise<Pgpool> {
    const pgpool = await startPgpool([primary.url, standby.url], settings);
    onTestFinished(() => pgpool.stop());
    return pgpool;
  }

  it.each([
    ['with its defaults', {}],
    ['that chooses a server for each statement', BY_STATEMENT],
  ])('is refused with the setting to change, %s', async (_title, settings) => {
    const pgpool = await startBalancing(settings);
    const opening = open(pgpool.url);
    await expect(opening).rejects.toThrow(SettingsError);
    await expect(opening).rejects.toThrow('Set load_balance_mode = off in pgpool.conf');
  });

  it('shows records and totals of the primary alone where it balances nothing', async () => {
    const pgpool = await startBalancing({ load_balance_mode: 'off' });
    const engine = await open(pgpool.url, {
      models: { unversioned: { key: ['id'] } },
      acceleration: { pageIndexMinOffset: 100 },
    });
    const totals = new Set<number>();
    for (const model of ['counted', 'unversioned'])
      for (let round = 0; round < 5; round++) {
        const pages = Array.from({ length: 8 }, () => Math.ceil(Math.random() * 300));
        const asked = [1, ...pages, ...pages].map((page) => totalOf(engine, page, model));
        for (const total of await Promise.all(asked)) totals.add(total);
      }
    await engine.close();
    expect([...totals]).toEqual([SECOND]);
  });

  it('is not the only one that it would send to the standby', async () => {
    const { url } = await startBalancing(BY_STATEMENT);
    const totals = new Set<string | undefined>();
    const client = await connect(url);
    await until(async () => {
      const { rows } = await client.query<{ count: string }>('select count(*) from counted');
      totals.add(rows[0]?.count);
      return totals.size === 2;
    });
    expect(totals).toEqual(new Set([String(FIRST), String(SECOND)]));
  });
});
