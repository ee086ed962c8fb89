import {
  type DatabaseKind,
  type Engine,
  type EngineSettings,
  Grant,
  type ModelChange,
} from '@proj/engine';
import { sqlite } from '@proj/sqlite';
import { beforeRelease, eachNth } from '@proj/test-servers';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { fixturesOf } from './fixtures/index.ts';
import type { FixtureDatabase } from './fixtures/fixture.ts';
import { ask, open } from './open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

// A reading of the schema takes no time, and so no pause follows it.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));

const CITIES = [
  'create table cities (id integer not null primary key, name varchar(20), area integer)',
];
/** What tests leave. */
const EMPTYING = ['cities', 'lakes', 'rivers', 'secrets'].map(
  (table) => `drop table if exists ${table}`,
);
const BERN = [`insert into cities values (1, 'Bern', 52)`];
const NAMES = { model: 'cities', attributes: ['name'] };
const AREAS = { model: 'cities', attributes: ['area'] };
const UNAVAILABLE = { code: 'model_unavailable' };
const UNKNOWN = { errors: [{ pointer: '/query_model', code: 'unknown_model' }] };

/** An engine for one test. */
async function openFor(
  database: FixtureDatabase,
  settings: Partial<EngineSettings> = {},
): Promise<Engine> {
  const engine = await open(database.url, settings);
  onTestFinished(() => engine.close());
  return engine;
}

/** One database on every commit: what differs between them is read by few of the tests. */
const TRIED = eachNth(3, FIXTURES);

describe.each(TRIED)('a schema that changes under the engine on $name', (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;
  let changes: ModelChange[] = [];

  beforeAll(async () => {
    database = await fixture.create();
    engine = await open(database.url);
    engine.onModelChange((change) => changes.push(change));
  });

  // Its engine is one that has just read the schema, whatever the test before has left.
  beforeEach(async () => {
    await database.execute([
      ...EMPTYING,
      ...CITIES,
      ...BERN,
      'create table rivers (id integer not null primary key)',
    ]);
    (await engine.prepare({ expose: 'all', models: {}, maxPageSize: 1000 })).apply();
    changes = [];
    await ask(engine, NAMES);
  });

  it('makes a dropped table unavailable, serves the others, and answers as soon as it is back', async () => {
    for (let round = 0; round < 2; round++) {
      await database.execute(['drop table cities']);
      await expect(ask(engine, NAMES)).rejects.toMatchObject(UNAVAILABLE);
      expect((await ask(engine, { model: 'rivers', attributes: ['id'] })).records).toEqual([]);
      await database.execute([...CITIES, ...BERN]);
      expect((await ask(engine, NAMES)).records).toEqual([{ name: 'Bern' }]);
    }
  });

  it('reports once that a model is lost and once that it is back, however many requests meet it', async () => {
    await database.execute(['drop table cities']);
    await Promise.allSettled(Array.from({ length: 20 }, () => ask(engine, NAMES)));
    await database.execute([...CITIES, ...BERN]);
    await Promise.all(Array.from({ length: 20 }, () => ask(engine, NAMES)));
    expect(changes).toEqual([
      {
        model: 'cities',
        change: 'lost',
        reason: 'The database has no table or view named "cities".',
      },
      { model: 'cities', change: 'back', reason: '' },
    ]);
  });

  it('reports that a model is unavailable only to callers whose grant names it', async () => {
    await database.execute(['drop table cities']);
    const named = new Grant(new Map([['cities', { attributes: new Set(['name']) }]]));
    const other = new Grant(new Map([['rivers', { attributes: 'all' }]]));
    await expect(ask(engine, NAMES, named)).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask(engine, NAMES, other)).rejects.toMatchObject(UNKNOWN);
    await expect(ask(engine, { ...NAMES, model: 'nothing' }, named)).rejects.toMatchObject(UNKNOWN);
  });

  it('makes requests unavailable that need a dropped column, answers all others, and all once it is back', async () => {
    await database.execute(['alter table cities drop column area']);
    await expect(ask(engine, AREAS)).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask(engine, { ...NAMES, sort: ['area'] })).rejects.toMatchObject(UNAVAILABLE);
    expect((await ask(engine, NAMES)).records).toEqual([{ name: 'Bern' }]);
    await database.execute(['alter table cities add area integer', 'update cities set area = 53']);
    expect((await ask(engine, AREAS)).text).toContain('53');
    expect(changes.map(({ change }) => change)).toEqual(['lost', 'back']);
  });

  it('lets no record through while the column of a row policy is missing', async () => {
    const rowPolicy = {
      attribute: 'area',
      op: 'gt',
      value: fixture.name === 'SQLite' ? '50' : 50,
    } as const;
    const policy = new Grant(new Map([['cities', { attributes: new Set(['name']), rowPolicy }]]));
    expect((await ask(engine, NAMES, policy)).page.total).toBe('1');
    await database.execute(['alter table cities drop column area']);
    await expect(ask(engine, NAMES, policy)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('takes on the types of a table that comes back with others, in the reply and in the catalogue', async () => {
    await database.execute(['drop table cities']);
    await expect(ask(engine, AREAS)).rejects.toMatchObject(UNAVAILABLE);
    await database.execute([
      'create table cities (id integer not null primary key, name varchar(20), area varchar(20))',
      `insert into cities values (1, 'Bern', '52')`,
    ]);
    expect((await ask(engine, AREAS)).records).toEqual([{ area: '52' }]);
    expect(engine.catalogue.get('cities')?.attributes.get('area')?.type).toBe('text');
  });

  it('never shows a new table or column by itself', async () => {
    await database.execute([
      'alter table cities add secret integer',
      'create table secrets (id integer not null primary key)',
      'drop table rivers',
    ]);
    await expect(ask(engine, { model: 'rivers', attributes: ['id'] })).rejects.toMatchObject(
      UNAVAILABLE,
    );
    await expect(ask(engine, { model: 'secrets', attributes: ['id'] })).rejects.toMatchObject(
      UNKNOWN,
    );
    await expect(ask(engine, { model: 'cities', attributes: ['secret'] })).rejects.toMatchObject({
      errors: [{ code: 'unknown_attribute' }],
    });
    await database.execute([
      'drop table cities',
      'create table cities (id integer not null primary key, name varchar(20), secret integer)',
    ]);
    await expect(ask(engine, AREAS)).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask(engine, { model: 'cities', attributes: ['secret'] })).rejects.toMatchObject({
      errors: [{ code: 'unknown_attribute' }],
    });
  });

  it('is served anew only when a candidate is applied, with the settings of the candidate', async () => {
    await database.execute(['create table lakes (id integer not null primary key)']);
    const candidate = await engine.prepare({ expose: 'all', models: {}, maxPageSize: 10 });
    expect([...candidate.catalogue.keys()]).toEqual(['cities', 'lakes', 'rivers']);
    expect([...engine.catalogue.keys()]).toEqual(['cities', 'rivers']);
    candidate.apply();
    expect(engine.catalogue).toBe(candidate.catalogue);
    expect((await ask(engine, { model: 'lakes', attributes: ['id'] })).records).toEqual([]);
    await expect(
      ask(engine, { model: 'lakes', attributes: ['id'], size: 11 }),
    ).rejects.toMatchObject({
      errors: [{ code: 'size_too_large', maximum: 10 }],
    });
  });

  it('exposes what the old settings do where a candidate is never applied, also after a table is gone', async () => {
    await database.execute(['create table lakes (id integer not null primary key)']);
    await engine.prepare({
      expose: 'all',
      models: { rivers: { attributes: { id: { hidden: true } } } },
      maxPageSize: 10,
    });
    await database.execute(['drop table cities']);
    await expect(ask(engine, { model: 'cities', attributes: ['name'] })).rejects.toBeDefined();
    expect(
      (await ask(engine, { model: 'rivers', attributes: ['id'], size: 1000 })).records,
    ).toEqual([]);
    expect([...engine.catalogue.keys()]).not.toContain('lakes');
  });

  it('never returns to old settings because a query meets a dropped column while a candidate is applied', async () => {
    for (let turns = 0; turns < 20; turns += beforeRelease ? 1 : 5) {
      await database.execute(['alter table cities add extra integer']);
      const hiding = {
        expose: 'listed',
        models: { cities: { attributes: { id: {}, name: {} } } },
        maxPageSize: 10,
      } as const;
      const candidate = await engine.prepare(hiding);
      (await engine.prepare({ expose: 'all', models: {}, maxPageSize: 1000 })).apply();
      await database.execute(['alter table cities drop column extra']);
      const asked = ask(engine, { model: 'cities', attributes: ['extra'] }).catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      candidate.apply();
      await asked;
      expect([...(engine.catalogue.get('cities')?.attributes.keys() ?? [])]).toEqual([
        'id',
        'name',
      ]);
    }
  });

  it('is noticed by itself where no query fails by it: another type of a column', async () => {
    const watched = await openFor(database, { schemaCheckMs: 20 });
    const change = nextChange(watched);
    await database.execute([
      'alter table cities rename column area to old_area',
      'alter table cities add area varchar(20)',
      `update cities set area = 'large'`,
    ]);
    await change;
    await expect
      .poll(() => watched.catalogue.get('cities')?.attributes.get('area')?.type)
      .toBe('text');
    expect((await ask(watched, AREAS)).records).toEqual([{ area: 'large' }]);
  });
});

const DROP_KEY: Readonly<Record<string, string>> = {
  PostgreSQL: 'alter table cities drop constraint cities_pkey',
  MariaDB: 'alter table cities drop primary key',
};

// SQLite cannot drop a primary key, and orders a table without one by its rowid.
describe.each(
  eachNth(
    2,
    FIXTURES.filter(({ family }) => family in DROP_KEY),
  ),
)('a unique key that is dropped on $name', (fixture) => {
  let database: FixtureDatabase;

  beforeAll(async () => {
    database = await fixture.create();
  });

  beforeEach(() => database.execute([...EMPTYING, ...CITIES, ...BERN]));

  it('makes the model unavailable within the time of a check, until it is back', async () => {
    const engine = await openFor(database, { schemaCheckMs: 20 });
    const change = nextChange(engine);
    await database.execute([DROP_KEY[fixture.family] ?? '']);
    expect(await change).toMatchObject({
      model: 'cities',
      change: 'lost',
      reason: expect.stringContaining('no unique key') as string,
    });
    await expect(ask(engine, NAMES)).rejects.toMatchObject(UNAVAILABLE);
    await database.execute(['alter table cities add primary key (id)']);
    expect((await ask(engine, NAMES)).records).toEqual([{ name: 'Bern' }]);
  });

  it('changes nothing where the settings declare the key', async () => {
    const engine = await openFor(database, {
      schemaCheckMs: 20,
      models: { cities: { key: ['id'] } },
    });
    const change = nextChange(engine);
    // The second change shows that the first was seen.
    await database.execute([DROP_KEY[fixture.family] ?? '', 'alter table cities drop column area']);
    await change;
    expect((await ask(engine, NAMES)).records).toEqual([{ name: 'Bern' }]);
  });
});

it('a model that one reading of the schema lacks is lost to nobody', async () => {
  const lacking: DatabaseKind = {
    ...sqlite,
    open: async (...given) => {
      const source = await sqlite.open(...given);
      const introspect = source.introspect.bind(source);
      let count = 0;
      // The first is that of the start.
      return Object.assign(source, { introspect: async () => (++count === 2 ? [] : introspect()) });
    },
  };
  const fixture = FIXTURES.find(({ family }) => family === 'SQLite');
  const database = await fixture?.create();
  await database?.execute([...CITIES, ...BERN]);
  const engine = await open(database?.url ?? '', { kinds: [lacking], schemaCheckMs: 20 });
  const change = nextChange(engine);
  await database?.execute(['alter table cities drop column area']);
  expect(await change).toMatchObject({ reason: 'It has no column named area.' });
});

function nextChange(engine: Engine): Promise<ModelChange> {
  return new Promise((resolve) => engine.onModelChange(resolve));
}
