import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const SQL = `
  create table plain (id int primary key); insert into plain select generate_series(1, 3000);
  create table guarded (id int primary key); insert into guarded values (1); alter table guarded enable row level security;
  create view moments as select id, now() as moment from plain;
  create materialized view kept as select id from plain; create unique index on kept (id);
  create table parts (id int primary key) partition by range (id);
  create table parts_low partition of parts for values from (0) to (10); insert into parts values (1);
  create table parent (id int primary key); create table child () inherits (parent); alter table child enable row level security;`;

describe('the versions of PostgreSQL', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url, {
      models: { moments: { key: ['id'] }, parent: { key: ['id'] }, kept: { key: ['id'] } },
    });
  });

  const version = async (model: string): Promise<string | undefined> => {
    const body = { query_model: model, query_attributes: ['id'], page: { page: 1, size: 1 } };
    return (await engine.query(body, EVERYTHING)).version;
  };

  it.each(['plain', 'kept', 'parts'])(
    'are known for %s, whose rows are in the tables of the server',
    async (model) => {
      expect(await version(model)).toMatch(/^[\w-]{22}$/);
      expect(await version(model)).toBe(await version(model));
    },
  );

  it.each(['guarded', 'moments', 'parent'])(
    'are unknown for %s, which may change without a write',
    async (model) => {
      expect(await version(model)).toBeUndefined();
    },
  );

  it('change with every commit, and stay while a transaction is open or rolled back', async () => {
    const before = await version('plain');
    await postgres().client('begin; select count(*) from plain; commit');
    expect(await version('plain')).toBe(before);
    await postgres().client('insert into plain values (0)');
    expect(await version('plain')).not.toBe(before);
    expect((await ask(engine, { model: 'plain', attributes: ['id'], size: 1 })).text).toBe(
      '[{"id":0}]',
    );
  });

  it('are the same for everybody who asks the same server', async () => {
    const other = await open(postgres().url);
    const body = { query_model: 'plain', query_attributes: ['id'], page: { page: 1, size: 1 } };
    expect((await other.query(body, EVERYTHING)).version).toBe(await version('plain'));
  });

  it('lead deep pages through an index and the last ones from the end', async () => {
    const deep = await open(postgres().url, { acceleration: { pageIndexMinOffset: 100 } });
    const mechanisms = (): Record<string, number> =>
      Object.fromEntries(
        deep.statistics().map((statistics) => [statistics.mechanism, statistics.hits]),
      );
    await ask(deep, { model: 'plain', attributes: ['id'], size: 10 });
    await expect
      .poll(async () => {
        await ask(deep, {
          model: 'plain',
          attributes: ['id'],
          size: 10,
          page: 100 + Math.floor(Math.random() * 100),
        });
        return mechanisms()['page_index'];
      })
      .toBeGreaterThan(0);
    const before = mechanisms()['read_backwards'] ?? 0;
    const last = await ask(deep, { model: 'plain', attributes: ['id'], size: 10, page: 300 });
    expect(last.text).toMatch(/^\[\{"id":2990\}.*\{"id":2999\}\]$/);
    expect(mechanisms()).toMatchObject({ read_backwards: before + 1 });
  });
});
