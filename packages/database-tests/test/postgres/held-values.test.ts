import type { Engine } from '@proj/engine';
import { columnOf, compile } from '@proj/engine/database';
import { beforeAll, describe, expect, it } from 'vitest';

import { postgresDialect } from '../../../postgres/src/dialect.ts';
import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { ELEMENTS } from './held-elements.ts';
import { connect, usePostgres } from './server.ts';

const SQL = `
  create extension citext;
  create extension intarray;
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create type "Mo(1)od" as enum ('sad', 'ok');
  create domain words as text check (value <> 'never');
  create domain moods as "Mo(1)od";
  create domain small as smallint;
  create domain tags as text[];
  ${ELEMENTS.map(
    ({ type, arrays }, index) => `
  create table arrays_${index} (id int primary key, v ${type.replace(/( collate .*)?$/, '[]$1')});
  insert into arrays_${index} values ${[...arrays, null].map((array, row) => `(${row + 1}, ${array === null ? 'null' : `'${array}'`})`).join(', ')};`,
  ).join('')}
  create table odd (id int primary key, doc json);
  insert into odd values
    (1, '["a\\u0000", "red"]'), (2, '["\\ud800", "red"]'), (3, '["\\\\u0000", "red"]'),
    (4, '[1e200000, 1e-200000, "red"]'), (5, '["\\u0000"]');
  create table tagged (id int primary key, tags tags, labels text[] collate any_case,
    moods "Mo(1)od"[], prices numeric(6, 2)[], names varchar(9)[], doc jsonb);
  insert into tagged select n, array['t' || n], array['t' || n], '{sad}', array[n / 100.0],
    array['t' || n], jsonb_build_array('t' || n, n) from generate_series(1, 3000) as n;
  create table vectors (id int primary key, v int2vector, o oidvector);
  insert into vectors values (1, '1 2', '1 4294967295'), (2, '', ''), (3, null, null);
  create index on tagged using gin (tags);
  create index on tagged using gin (labels);
  create index on tagged using gin (moods);
  create index on tagged using gin (prices);
  create index on tagged using gin (names);
  create index on tagged using gin (doc jsonb_path_ops);
  update tagged set moods = '{ok}' where id = 7;
  analyze tagged;`;

describe('a filter of arrays of PostgreSQL', () => {
  const database = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(database().url);
  });

  const ids = (model: string, filter: unknown): Promise<unknown[]> => idsOf(engine, model, filter);

  it.each(ELEMENTS.map((elements, index) => [elements.type, elements, `arrays_${index}`] as const))(
    'of %s keeps those that hold the values',
    async (_, { arrays, cases }, model) => {
      for (const [op, value, ...kept] of cases) {
        const filter = { attribute: 'v', op, value };
        expect([filter, await ids(model, filter)]).toEqual([filter, kept]);
        const others = arrays.map((__, index) => index + 1).filter((id) => !kept.includes(id));
        expect([filter, await ids(model, { not: filter })]).toEqual([filter, others]);
      }
    },
  );

  it('passes over elements of json that no text or number of PostgreSQL can be', async () => {
    expect(await ids('odd', { attribute: 'doc', op: 'has', value: 'red' })).toEqual([1, 2, 3, 4]);
    expect(await ids('odd', { attribute: 'doc', op: 'has', value: '\\u0000' })).toEqual([3]);
    expect(await ids('odd', { not: { attribute: 'doc', op: 'has', value: 1 } })).toHaveLength(5);
  });

  it('is the same where `intarray` has operators that take no NULL among the elements', async () => {
    const ask = database().client(`select array[1, null] && array[1]`);
    await expect(ask).rejects.toThrow('nulls');
    expect(await ids('arrays_0', { attribute: 'v', op: 'has', value: 1 })).toEqual([1, 2, 5]);
    expect(await ids('arrays_1', { attribute: 'v', op: 'has_all', value: [1] })).toEqual([1]);
  });

  it('looks into the vectors of the system, which are no arrays to its operators', async () => {
    for (const [attribute, held, absent] of [
      ['v', 2, 40_000],
      ['o', '4294967295', '2'],
    ] as const)
      for (const op of ['has', 'has_any', 'has_all']) {
        const of = (value: unknown) => ({ attribute, op, value: op === 'has' ? value : [value] });
        expect(await ids('vectors', of(held))).toEqual([1]);
        expect(await ids('vectors', { not: of(absent) })).toEqual([1, 2]);
      }
  });

  it.each([
    ['tags', 't7'],
    ['labels', 't7'],
    ['moods', 'ok'],
    ['prices', '0.07'],
    ['names', 't7'],
    ['doc', 't7'],
  ])('reads %s by a GIN index', async (attribute, value) => {
    const field = engine.catalogue.get('tagged')?.attributes.get(attribute);
    if (field === undefined) throw new Error(`The catalogue has no ${attribute}.`);
    for (const all of [false, true]) {
      const [one] = field.type === 'json' ? [JSON.stringify(value)] : [value];
      const held = { values: [one], all };
      const { sql, parameters } = compile(
        postgresDialect.holds(columnOf(field), held, field),
        postgresDialect,
      );
      const text = `explain select from tagged as t where ${sql}`;
      const client = await connect(database().url);
      const { rows } = await client.query({ text, values: [...parameters], rowMode: 'array' });
      expect(rows.join('\n')).toContain('Bitmap Index Scan');
    }
    const ops = ['has', 'has_any', 'has_all'];
    for (const op of ops) {
      const filter = { attribute, op, value: op === 'has' ? value : [value] };
      expect(await ids('tagged', filter)).toEqual([7]);
    }
  });
});
