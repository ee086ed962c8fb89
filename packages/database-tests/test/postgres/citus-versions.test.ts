import { type Engine, EVERYTHING } from '@proj/engine';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { bodyOf, hitsOf, open, type Question } from '../open.ts';
import { countUp, type Counting, moveShards } from './citus-counters.ts';

/** The coordinator of a cluster that has workers, and whose database is the tests' own. */
const url = process.env['TEST_CITUS_URL'];
const where = url === undefined ? ' (skipped: TEST_CITUS_URL names no cluster)' : '';

const ROWS = 5000;
const COUNTERS = 6;

/** So often counters are read that others count up. */
const READS = 400;

const TABLES = `
  drop table if exists deep, counters cascade;
  create table deep (id bigint primary key, name text not null, amount int);
  select create_distributed_table('deep', 'id', shard_count => 8);
  insert into deep select n, 'name ' || n % 700, nullif(n % 9, 0) from generate_series(1, ${ROWS}) n;
  create index on deep (name, id);
  create view many as select id, name from deep where amount > 3;
  create table counters (id int primary key, count int not null);
  select create_distributed_table('counters', 'id', shard_count => 8);
  insert into counters select n, 0 from generate_series(1, ${COUNTERS}) n;
  analyze deep;`;

/** Values of which a session may have another text. */
const VALUES = `
  (1, 'a "quoted" \u00e9', 1, 9007199254740993, 1.50, true, '2026-01-31', '2026-01-31 12:00:00.5',
    '2026-01-31 12:00:00.5+02', '{"a": [1, 2.0]}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'),
  (2, '', -1, -1, 'NaN', false, 'infinity', '-infinity', 'infinity', 'null', null),
  (3, null, null, null, null, null, null, null, null, null, null)`;
const KINDS = ['id', 't', 'i', 'b', 'n', 'f', 'd', 'at', 'tz', 'j', 'u'];
const KIND_TABLES = ['kinds', 'kinds_here'].map(
  (name) => `drop table if exists ${name}; create table ${name} (
    id int primary key, t text, i int, b bigint, n numeric, f bool, d date, at timestamp,
    tz timestamptz, j jsonb, u uuid);
    ${name === 'kinds' ? `select create_distributed_table('kinds', 'id', shard_count => 4);` : ''}
    insert into ${name} values ${VALUES}`,
);

const MODELS = { many: { key: ['id'] } };
const ACCELERATION = { pageIndexMinOffset: 100 };

describe.skipIf(url === undefined)(`the version of tables of a Citus cluster${where}`, () => {
  const admin = new Client({ connectionString: url });
  let engine: Engine;
  let servers: string[] = [];

  beforeAll(async () => {
    await admin.connect();
    // Citus takes some of them only one by one.
    for (const statement of [TABLES, ...KIND_TABLES].join(';').split(';'))
      await admin.query(statement);
    const { rows } = await admin.query<{ host: string }>(
      `select format('%s:%s', nodename, nodeport) as host from pg_dist_node order by groupid`,
    );
    servers = rows.map(({ host }) => Object.assign(new URL(url ?? ''), { host }).href);
    engine = await open(url ?? '', { models: MODELS, acceleration: ACCELERATION });
  });
  afterAll(() => admin.end());

  async function ask(question: Question, asked = engine) {
    const { version, page, result } = await asked.query(bodyOf(question), EVERYTHING);
    return { version, total: page.total, records: JSON.parse(result) as unknown[] };
  }

  const setTime = (command: string): Promise<unknown> =>
    admin.query(`select run_command_on_workers($$alter database postgres ${command}$$)`);

  it('is that of all replies while nobody writes, in every process', async () => {
    const other = await open(url ?? '', { models: MODELS });
    const { version } = await ask({ model: 'deep', attributes: ['id'] });
    expect(version).toMatch(/^[\w-]{22}$/);
    expect(await ask({ model: 'counters', attributes: ['id'] }, other)).toMatchObject({ version });
  });

  it('is another one after a commit through any server of the cluster', async () => {
    const versions = new Set<string | undefined>();
    const add = async (): Promise<void> => {
      versions.add((await ask({ model: 'counters', attributes: ['count'] })).version);
    };
    await add();
    for (const server of servers) {
      const client = new Client({ connectionString: server });
      await client.connect();
      await client.query('update counters set count = count where id = 1');
      await client.end();
      await add();
    }
    expect([versions.size, versions.has(undefined)]).toEqual([servers.length + 1, false]);
  });

  it.each([
    ['views over them', 'many', MODELS],
    [
      'those that are served without a state of all',
      'deep',
      { deep: { distributed: 'approximate' } },
    ],
  ] as const)('is none of %s', async (_which, model, models) => {
    const other = await open(url ?? '', { models: { ...MODELS, ...models } });
    for (let time = 0; time < 2; time++)
      expect((await ask({ model, attributes: ['id'] }, other)).version).toBeUndefined();
  });

  it('has a reply sent again, and the total used of which another page was read', async () => {
    const first = await ask({ model: 'deep', attributes: ['id'], size: 7 });
    const [replies, totals, backwards] = ['reply_cache', 'total_cache', 'read_backwards'].map(
      (name) => hitsOf(engine, name),
    );
    expect(await ask({ model: 'deep', attributes: ['id'], size: 7 })).toEqual(first);
    expect(hitsOf(engine, 'reply_cache')).toBe((replies ?? 0) + 1);
    const last = await ask({ model: 'deep', attributes: ['id'], size: 7, page: 715 });
    expect(last).toMatchObject({ version: first.version, total: String(ROWS) });
    expect(last.records).toEqual([{ id: '4999' }, { id: '5000' }]);
    expect(hitsOf(engine, 'total_cache')).toBe((totals ?? 0) + 1);
    expect(hitsOf(engine, 'read_backwards')).toBe((backwards ?? 0) + 1);
  });

  it.each([
    ['their key', undefined, 'd.id'],
    ['an index of theirs', ['name'], 'd.name, d.id'],
    ['no index of theirs', ['amount'], 'd.amount, d.id'],
  ])('has an index of pages in the order of %s', async (_which, sort, order) => {
    const list = { model: 'deep', ...(sort && { sort }) };
    await ask({ ...list, attributes: ['id'] });
    expect(await deepPagesOf(engine, list)).toEqual(onlyEnded('built'));
    const before = hitsOf(engine, 'page_index');
    for (const page of [101, 187, 188, 322, 333, 399]) {
      const { rows } = await admin.query(
        `select d.id::text from deep d order by ${order} limit 10 offset ${(page - 1) * 10}`,
      );
      expect((await ask({ ...list, attributes: ['id'], page })).records).toEqual(rows);
    }
    expect(hitsOf(engine, 'page_index')).toBe(before + 6);
  });

  it('comes with the values that one server would give, whatever is set on the others', async () => {
    await setTime(`set timezone to 'Asia/Tokyo'`);
    const other = await open(url ?? '', { models: MODELS });
    // The servers write the records of a page whose total is known.
    await ask({ model: 'kinds', attributes: KINDS, size: 1 }, other);
    const [found, expected] = await Promise.all(
      ['kinds', 'kinds_here'].map((model) => ask({ model, attributes: KINDS }, other)),
    );
    await setTime('reset timezone');
    expect(found?.records).toEqual(expected?.records);
    expect(found?.records).toHaveLength(3);
  });

  it('is never that of earlier counts than those that were committed before the request', async () => {
    let read = 0;
    const counting: Counting = await countUp(servers, COUNTERS, () => read);
    const moving = moveShards(admin, 'counters', () => read);
    let answered = 0;
    const wrong: unknown[] = [];
    for (; read < READS; read++) {
      const least = counting.committed();
      // Some requests are equal to the one before, others have another page of the same list.
      const question = { model: 'counters', attributes: ['id', 'count'], size: 6 + (read % 2) };
      const found = await ask(question).catch(() => undefined);
      const records = found?.records as
        | { readonly id: string; readonly count: number }[]
        | undefined;
      if (records === undefined) continue;
      answered += 1;
      for (const [index, count] of least.entries())
        if ((records[index]?.count ?? -1) < count) wrong.push([read, index, count, records]);
      if (found?.total !== String(COUNTERS)) wrong.push([read, found]);
      // What is kept for a state is asked for in the next one, too.
      if (read % 20 === 0) await counting.pause(() => ask(question));
    }
    await moving.stop();
    await counting.stop();
    expect(wrong).toEqual([]);
    expect([answered > 0, moving.moves() > 0]).toEqual([true, true]);
  });
});
