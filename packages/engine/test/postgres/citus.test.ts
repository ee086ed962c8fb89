import { setTimeout } from 'node:timers/promises';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Engine, EVERYTHING } from '../../src/index.ts';
import { bodyOf, open } from '../open.ts';

/** The coordinator of a cluster that has workers, and whose database is the tests' own. */
const url = process.env['TEST_CITUS_URL'];
const where = url === undefined ? ' (skipped: TEST_CITUS_URL names no cluster)' : '';

const TABLES = `
  drop table if exists orders, countries, single, known, alone cascade;
  create table countries (id int primary key, name text not null);
  select create_reference_table('countries');
  create table orders (
    id bigint primary key, country_id int references countries (id), amount int not null
  );
  select create_distributed_table('orders', 'id', shard_count => 8);
  insert into countries select n, 'country ' || n from generate_series(1, 20) as n;
  insert into orders select n, n % 20 + 1, n from generate_series(1, 1000) as n;
  create table single (id int primary key);
  select create_distributed_table('single', null);
  create table known (id int primary key);
  select citus_add_local_table_to_metadata('known');
  create table alone (id int primary key, amount int not null);
  insert into alone select n, n from generate_series(1, 1000) as n;
  create view large as select id, amount from orders where amount > 500;`;

const KEYS = { large: { key: ['id'] } };

describe.skipIf(url === undefined)(`tables of a Citus cluster${where}`, () => {
  const admin = new Client({ connectionString: url });
  let engine: Engine;

  beforeAll(async () => {
    await admin.connect();
    await admin.query(TABLES);
    engine = await open(url ?? '', { models: KEYS });
  });
  afterAll(() => admin.end());

  it.each([
    ['orders', 'Its rows are on several servers'],
    ['single', 'Its rows are on several servers'],
    ['large', 'Its rows of orders are on several servers'],
  ])('are left out by name where their rows are on several servers: %s', (model, problem) => {
    expect(engine.catalogue.has(model)).toBe(false);
    expect(engine.reports.find((report) => report.model === model)?.problem).toMatch(problem);
  });

  it.each([
    ['countries', 'name', '20'],
    ['known', 'id', '0'],
    ['alone', 'amount', '1000'],
  ])('are served where this server has them whole: %s', async (model, attribute, total) => {
    const answer = await engine.query(bodyOf({ model, attributes: [attribute] }), EVERYTHING);
    expect(answer).toMatchObject({ approximate: false, page: { total } });
  });

  it('are served where the operator accepts replies of several states, which these say', async () => {
    const models = { ...KEYS, orders: { distributed: 'approximate' } } as const;
    const other = await open(url ?? '', { models });
    const ask = (model: string, attributes: string[]) =>
      other.query(bodyOf({ model, attributes, page: 40, size: 10 }), EVERYTHING);
    expect(await ask('orders', ['id', 'country.name'])).toMatchObject({
      approximate: true,
      version: undefined,
      page: { total: '1000', has_next: true },
    });
    expect(await ask('countries', ['name'])).toMatchObject({ approximate: false });
  });

  it('are refused from the moment at which a running engine meets them distributed', async () => {
    const query = bodyOf({ model: 'alone', attributes: ['amount'], page: 90, size: 10 });
    expect(await engine.query(query, EVERYTHING)).toMatchObject({ page: { total: '1000' } });
    const writing = keepSum(admin);
    const askOften = (times: number): Promise<unknown[]> =>
      oneByOne(times, () => engine.query(query, EVERYTHING));
    expect(new Set(await askOften(50))).toEqual(new Set([undefined]));
    await distribute(url ?? '');
    expect(new Set(await askOften(30))).toEqual(new Set(['model_unavailable']));
    await writing.stop();
    await admin.query(`select undistribute_table('alone')`);
    await expect
      .poll(async () => (await engine.query(query, EVERYTHING)).page.total, { timeout: 40_000 })
      .toBe('1000');
  });
});

/** By which errors the attempts ended; undefined for one that succeeded. */
async function oneByOne(times: number, attempt: () => Promise<unknown>): Promise<unknown[]> {
  const ends: unknown[] = [];
  for (let time = 0; time < times; time++)
    ends.push(
      await attempt().then(
        () => undefined,
        (error: unknown) => (error as { code?: unknown }).code,
      ),
    );
  return ends;
}

async function distribute(cluster: string): Promise<void> {
  const client = new Client({ connectionString: cluster });
  await client.connect();
  await client.query(`select create_distributed_table('alone', 'id', shard_count => 8)`);
  await client.end();
}

/** Moves amounts between rows of a table, as long as nobody stops it. */
function keepSum(client: Client): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const moving = move(client, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await moving;
    },
  };
}

async function move(client: Client, signal: AbortSignal): Promise<void> {
  for (let id = 1; !signal.aborted; id = (id % 999) + 1) {
    await client.query('begin');
    await client.query('update alone set amount = amount - 1 where id = $1', [id]);
    await client.query('update alone set amount = amount + 1 where id = $1', [id + 1]);
    await client.query('commit');
    await setTimeout(1);
  }
}
