import { catalogueEntry, type Engine, EVERYTHING } from '@proj/engine';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bodyOf, open } from '../open.ts';
import { ACCOUNTS, keepSum, keepSums, readAccounts, RIGHT } from './citus-writers.ts';

/** The coordinator of a cluster that has workers, and whose database is the tests' own. */
const url = process.env['TEST_CITUS_URL'];
const where = url === undefined ? ' (skipped: TEST_CITUS_URL names no cluster)' : '';

const TABLES = `
  drop table if exists orders, countries, single, known, alone, accounts cascade;
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
  ${ACCOUNTS}
  create view large as select id, amount from orders where amount > 500;`;

const KEYS = { large: { key: ['id'] } };

/** So often the accounts are read. */
const READS = 60;

describe.skipIf(url === undefined)(`tables of a Citus cluster${where}`, () => {
  const admin = new Client({ connectionString: url });
  let engine: Engine;

  beforeAll(async () => {
    await admin.connect();
    await admin.query(TABLES);
    engine = await open(url ?? '', { models: KEYS, cluster: { cut: 'none' } });
  });
  afterAll(() => admin.end());

  it.each([
    ['orders', true],
    ['single', true],
    ['large', false],
  ])('are served in one state of all servers, without a setting: %s', async (model, hasVersion) => {
    const other = await open(url ?? '', { models: KEYS });
    const answer = await other.query(bodyOf({ model, attributes: ['id'] }), EVERYTHING);
    expect([answer.approximate, answer.version !== undefined]).toEqual([false, hasVersion]);
    const distributed = catalogueEntry(other.catalogue, EVERYTHING, model)?.distributed;
    expect([model, distributed]).toEqual([model, true]);
    await other.close();
  });

  it.each([
    ['validated', 'each read'],
    ['locked', 'no read'],
    ['auto', 'no read'],
  ] as const)(
    'have one sum and one total in each %s cut, whatever moves between their servers and waits for %s',
    async (cut, awaited) => {
      const other = await open(url ?? '', { models: KEYS, cluster: { cut } });
      const { rows } = await admin.query<{ url: string }>(
        `select format('%s:%s', nodename, nodeport) as url from pg_dist_node`,
      );
      let read = 0;
      const writing = keepSums(
        rows.map(({ url: host }) => Object.assign(new URL(url ?? ''), { host }).href),
        awaited === 'each read' ? () => read : undefined,
      );
      const found = new Set<string>();
      for (; read < READS; read++) found.add(await readAccounts(other));
      await writing.stop();
      await other.close();
      found.delete('no_common_state');
      expect(found).toEqual(new Set([RIGHT]));
    },
  );

  it('have other sums where replies of several states are accepted, which this test finds', async () => {
    const models = { ...KEYS, accounts: { distributed: 'approximate' as const } };
    const other = await open(url ?? '', { models });
    const writing = keepSums([url ?? '', url ?? '']);
    const found = new Set<string>();
    for (let read = 0; read < 300; read++) found.add(await readAccounts(other));
    await writing.stop();
    expect(found.size).toBeGreaterThan(1);
  });

  it('are exported, counted and grouped in one state of all servers', async () => {
    const other = await open(url ?? '', { models: KEYS });
    const facets = await other.facets(
      { query_model: 'orders', query_facets: [{ attribute: 'country_id', values: 3 }] },
      EVERYTHING,
    );
    expect(JSON.parse(facets.json)).toMatchObject({ total: '1000' });
    const groups = await other.query(
      {
        query_model: 'orders',
        query_attributes: ['country.name', 'n'],
        query_groups: ['country.name'],
        query_aggregates: [{ name: 'n', op: 'count' }],
        page: { page: 1, size: 5 },
      },
      EVERYTHING,
    );
    expect(groups.page.total).toBe('20');
    const lines: unknown[] = [];
    await other.export({ query_model: 'orders', query_attributes: ['id'] }, EVERYTHING, {
      sink: {
        begin: async ({ total }) => void lines.push(total),
        write: async () => undefined,
      },
    });
    expect(lines).toEqual([1000n]);
    await other.close();
  });

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
    const other = await open(url ?? '', { models, cluster: { cut: 'none' } });
    const ask = (model: string, attributes: string[]) =>
      other.query(bodyOf({ model, attributes, page: 40, size: 10 }), EVERYTHING);
    expect(await ask('orders', ['id', 'country.name'])).toMatchObject({
      approximate: true,
      version: undefined,
      page: { total: '1000', has_next: true },
    });
    expect(await ask('countries', ['name'])).toMatchObject({ approximate: false });
  });

  it('are refused without cuts from the moment at which a running engine meets them distributed', async () => {
    const query = bodyOf({ model: 'alone', attributes: ['amount'], page: 90, size: 10 });
    expect(await engine.query(query, EVERYTHING)).toMatchObject({ page: { total: '1000' } });
    const writing = keepSum(admin, 'alone');
    const askOften = (times: number): Promise<unknown[]> =>
      oneByOne(times, () => engine.query(query, EVERYTHING));
    expect(new Set(await askOften(50))).toEqual(new Set([undefined]));
    await distribute(url ?? '');
    expect(new Set(await askOften(30))).toEqual(new Set(['model_unavailable']));
    await writing.stop();
    await admin.query(`select undistribute_table('alone')`);
    await expect.poll(async () => (await engine.query(query, EVERYTHING)).page.total).toBe('1000');
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
