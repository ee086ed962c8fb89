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

  it('is served anew only when a candidate is applied, with the settings of the candidate', async () => {
    await database.execute(['create table lakes (id integer not null primary key)']);
    const candidate = await engine.prepare({ expose: 'all', models: {}, maxPageSize: 10 });
    expect([...candidate.catalogue.keys()]).toEqual(['cities', 'lakes', 'rivers']);
    expect([...engine.catalogue.keys()]).toEqual(['cities', 'rivers']);
    candidate.apply();
    expect(engine.catalogue).toBe(candidate.catalogue);
    expect((await ask(engine, { model: 'lakes', attributes: ['id'] })).elements).toEqual([]);
    await expect(ask(engine, { model: 'lakes', attributes: ['id'], size: 11 })).rejects.toMatchObject({
      faults: [{ code: 'size_too_large', maximum: 10 }],
    });
  });

  it('exposes what the old settings do where a candidate is never applied, also after a table is gone', async () => {
    await database.execute(['create table lakes (id integer not null primary key)']);
    await engine.prepare({ expose: 'all', models: { rivers: { attributes: { id: { hidden: true } } } }, maxPageSize: 10 });
    await database.execute(['drop table cities']);
    await expect(ask(engine, { model: 'cities', attributes: ['name'] })).rejects.toBeDefined();
    expect((await ask(engine, { model: 'rivers', attributes: ['id'], size: 1000 })).elements).toEqual([]);
    expect([...engine.catalogue.keys()]).not.toContain('lakes');
  });

  it('never returns to old settings because a query meets a dropped column while a candidate is applied', async () => {
    for (let turns = 0; turns < 20; turns++) {
      await database.execute(['alter table cities add extra integer']);
      const hiding = { expose: 'listed', models: { cities: { attributes: { id: {}, name: {} } } }, maxPageSize: 10 } as const;
      const candidate = await engine.prepare(hiding);
      (await engine.prepare({ expose: 'all', models: {}, maxPageSize: 1000 })).apply();
      await database.execute(['alter table cities drop column extra']);
      const asked = ask(engine, { model: 'cities', attributes: ['extra'] }).catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      candidate.apply();
      await asked;
      expect([...(engine.catalogue.get('cities')?.attributes.keys() ?? [])]).toEqual(['id', 'name']);
    }
  });
});
