import { beforeEach, describe, expect, it } from 'vitest';

import type { Engine } from '../src/index.ts';
import { FIXTURES } from './fixtures/index.ts';
import type { FixtureDatabase } from './fixtures/fixture.ts';
import { ask, open } from './open.ts';

describe.each(FIXTURES)('a schema that changes under the engine on $name', (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeEach(async () => {
    database = await fixture.create();
    await database.execute([
      'create table cities (id integer not null primary key, name varchar(20), area integer)',
      `insert into cities values (1, 'Bern', 52)`,
      'create table rivers (id integer not null primary key)',
    ]);
    engine = await open(database.url);
    await ask(engine, { model: 'cities', attributes: ['name'] });
  });

  it('lets a dropped column become an unknown attribute, and serves the others', async () => {
    await database.execute(['alter table cities drop column area']);
    await expect(ask(engine, { model: 'cities', attributes: ['name', 'area'] })).rejects.toMatchObject({
      faults: [{ pointer: '/query_attributes/1', code: 'unknown_attribute' }],
    });
    expect((await ask(engine, { model: 'cities', attributes: ['name'] })).elements).toEqual([{ name: 'Bern' }]);
  });

  it('lets a dropped table become an unknown model, and serves the others', async () => {
    await database.execute(['drop table cities']);
    await expect(ask(engine, { model: 'cities', attributes: ['name'] })).rejects.toMatchObject({
      faults: [{ pointer: '/query_model', code: 'unknown_model' }],
    });
    expect((await ask(engine, { model: 'rivers', attributes: ['id'] })).elements).toEqual([]);
  });

  it('never shows a new table or column by itself', async () => {
    await database.execute([
      'alter table cities add secret integer',
      'create table secrets (id integer not null primary key)',
      'drop table rivers',
    ]);
    await expect(ask(engine, { model: 'rivers', attributes: ['id'] })).rejects.toMatchObject({
      faults: [{ code: 'unknown_model' }],
    });
    await expect(ask(engine, { model: 'secrets', attributes: ['id'] })).rejects.toMatchObject({
      faults: [{ code: 'unknown_model' }],
    });
    await expect(ask(engine, { model: 'cities', attributes: ['secret'] })).rejects.toMatchObject({
      faults: [{ code: 'unknown_attribute' }],
    });
  });

  it('is read again when the operator says so', async () => {
    await database.execute(['create table lakes (id integer not null primary key)']);
    await engine.reload({ expose: 'all', models: {}, maxPageSize: 10 });
    expect((await ask(engine, { model: 'lakes', attributes: ['id'] })).elements).toEqual([]);
    await expect(ask(engine, { model: 'lakes', attributes: ['id'], size: 11 })).rejects.toMatchObject({
      faults: [{ code: 'size_too_large', maximum: 10 }],
    });
  });
});
