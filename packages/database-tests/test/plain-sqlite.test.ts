import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from './exported.ts';
import { plainSqlite } from './fixtures/plain-sqlite.ts';
import { open } from './open.ts';

const SCRIPT = [
  'create table towns (id integer primary key, name text)',
  `insert into towns values (1, 'Bern'), (2, 'Chur'), (3, null)`,
  'create view chances as select id from towns where random() > 0',
];

describe('a database that gives the engine no more than it has to', () => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await plainSqlite.create();
    await database.execute(SCRIPT);
    engine = await open(database.url, { models: { chances: { key: ['id'] } } });
  });

  it('has its whole lists exported, each of one state', async () => {
    const towns = await exported(engine, { model: 'towns', attributes: ['id', 'name'] });
    expect(towns.result).toBe(
      '[{"id":"1","name":"Bern"},{"id":"2","name":"Chur"},{"id":"3","name":null}]',
    );
  });

  it('has as many records of a list that varies as each reply says', async () => {
    const request = { query_model: 'chances', query_attributes: ['id'] };
    for (let tries = 0; tries < 20; tries++) {
      const { result, page } = await engine.query(
        { ...request, page: { page: 1, size: 10 } },
        EVERYTHING,
      );
      expect(JSON.parse(result)).toHaveLength(Number(page.total));
      const { records, total } = await exported(engine, { model: 'chances' });
      expect(records).toHaveLength(Number(total));
    }
  });

  it('is pinged', async () => {
    await expect(engine.ping()).resolves.toBeUndefined();
  });

  it('has no versions, no changes to follow and nothing to warn of', async () => {
    const asked = { query_model: 'towns', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const { version } = await engine.query(asked, EVERYTHING);
    const others = [await engine.followReport(), await engine.warnings(), engine.feed];
    expect([version, ...others]).toEqual([undefined, undefined, [], undefined]);
  });
});
