import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { ask, open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Views with the key that they have; without one they are no models. */
const VIEWS: Readonly<Record<string, readonly [definition: string, key?: string]>> = {
  whole: ['select id, a, b from rows_of', 'id'],
  renamed: ['select b as x, id as number_of from rows_of', 'number_of'],
  'swapped (a, id)': ['select id, abs(a) from rows_of', 'a'],
  filtered: ['select id, a + 1 as a from rows_of as r where r.a > 1 order by r.a', 'id'],
  second: ['select a, b, note from pairs', 'a,b'],
  of_view: ['select number_of as "from" from renamed where x is not null', 'from'],
  with_subqueries: [
    'select id from rows_of r ' +
      'where exists (select 1 from pairs p join rows_of o on o.id = p.b where p.a = r.a)',
    'id',
  ],
  part: ['select a, note from pairs'],
  computed: ['select id + 0 as id, a from rows_of'],
  borrowed: ['select (select r.id from rows_of r where r.id = 1) as id, a from pairs'],
  joined: ['select r.id from rows_of r join pairs p on p.a = r.a'],
  crossed: ['select r.id from rows_of r, pairs p'],
  distinct_rows: ['select distinct id, a from rows_of'],
  grouped: ['select id, count(*) as n from rows_of group by id'],
  merged: ['select id from rows_of union all select id from rows_of'],
  nested: ['select s.id from (select r.id from rows_of r join pairs p on p.a = r.a) s'],
  of_joined: ['select id from joined'],
  nullable: ['select n from loose'],
};

const quotedFor = (identifier: (name: string) => string, definition: string): string =>
  definition.replaceAll(/"(\w+)"/g, (_, name: string) => identifier(name));

describe.each(FIXTURES)('a view on $name', (fixture) => {
  let engine: Engine;
  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([
      'create table rows_of (id integer not null primary key, a integer, b integer)',
      'create table pairs (a integer not null, b integer not null, note integer, primary key (b, a))',
      'create table loose (n integer unique)',
      'insert into rows_of values (1, 1, 1), (2, 1, 2), (3, 2, 3)',
      'insert into pairs values (1, 1, 1), (1, 2, 2)',
      ...Object.entries(VIEWS).map(
        ([name, [definition]]) =>
          `create view ${name} as ${quotedFor((one) => fixture.identifier(one), definition)}`,
      ),
    ]);
    engine = await open(database.url);
  });

  it.each(
    Object.entries(VIEWS).map(([name, [definition, key]]) => [definition, name, key] as const),
  )('that is %s', (_, name, key) => {
    const model = engine.catalogue.get(name.replace(/ .*/, ''));
    const found = model?.key.map(({ column }) => column);
    expect(found?.toSorted().join()).toBe(key);
    expect(model?.attributes.get(found?.[0] ?? '')?.nullable ?? false).toBe(false);
  });

  it('is read in the order of that key', async () => {
    const { records } = await ask(engine, { model: 'filtered', attributes: ['a'] });
    expect(records.map(({ a }) => String(a))).toEqual(['3']);
    const pairs = await ask(engine, { model: 'second', attributes: ['note'] });
    expect(pairs.records.map(({ note }) => String(note))).toEqual(['1', '2']);
  });
});
