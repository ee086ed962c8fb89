import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from './fixtures/index.ts';
import { ask, open } from './open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TIES = Array.from(
  { length: 500 },
  (_, index) => `(${(index * 193) % 500}, ${index % 3}, ${index % 2})`,
);

const SCRIPT = [
  'create table things (id integer not null primary key, name varchar(20), note varchar(20), weight double precision)',
  `insert into things values (1, 'one', null, 1.5), (2, null, null, null)`,
  'create table ties (a integer not null, b integer not null, c integer not null, primary key (c, b, a))',
  `insert into ties values ${TIES.join(', ')}`,
  'create table wide_numbers (id integer not null primary key, value bigint)',
  'insert into wide_numbers values (1, -9223372036854775808), (2, 9223372036854775807), (3, 9007199254740993), (4, 0), (5, -1), (6, null)',
  `create table many (id integer not null primary key${Array.from({ length: 199 }, (_, index) => `, a${index} integer`).join('')})`,
  'insert into many (id, a0, a198) values (7, 8, 9)',
];

describe.each(FIXTURES)('a record on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(SCRIPT);
    engine = await open(database.url);
  });

  it.each([
    [['name', 'note', 'weight']],
    [['weight', 'note', 'name']],
    [['note', 'weight', 'name']],
    [['name']],
  ])('has the members %j in the order of the request', async (attributes) => {
    const { records } = await ask(engine, { model: 'things', attributes });
    for (const record of records) expect(Object.keys(record)).toEqual(attributes);
  });

  it('has every member, with null for NULL', async () => {
    const { text } = await ask(engine, { model: 'things', attributes: ['name', 'note', 'weight'] });
    expect(text.replaceAll(/\s(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '')).toBe(
      '[{"name":"one","note":null,"weight":1.5},{"name":null,"note":null,"weight":null}]',
    );
  });

  it('may have two hundred members', async () => {
    const attributes = ['id', ...Array.from({ length: 199 }, (_, index) => `a${198 - index}`)];
    const { records } = await ask(engine, { model: 'many', attributes });
    expect(Object.keys(records[0] ?? {})).toEqual(attributes);
    expect(records[0]).toMatchObject({
      a198: expect.anything() as unknown,
      a0: expect.anything() as unknown,
      a1: null,
    });
  });

  it('keeps every digit of a 64-bit number', async () => {
    const { records } = await ask(engine, { model: 'wide_numbers', attributes: ['value'] });
    expect(records.map(({ value }) => value)).toEqual([
      '-9223372036854775808',
      '9223372036854775807',
      '9007199254740993',
      '0',
      '-1',
      null,
    ]);
  });

  it.each([20, 37, 100, 499])(
    'comes once in pages of size %i of a table full of ties, in the order of the key',
    async (size) => {
      const seen: string[] = [];
      for (let page = 1; ; page++) {
        const reply = await ask(engine, { model: 'ties', attributes: ['c', 'b', 'a'], page, size });
        seen.push(
          ...reply.records.map((record) => JSON.stringify(Object.values(record).map(Number))),
        );
        if (!reply.page.has_next) break;
      }
      const parsed = seen.map((text) => JSON.parse(text) as [number, number, number]);
      expect(new Set(seen).size).toBe(500);
      expect(parsed).toEqual(
        parsed.toSorted(([c1, b1, a1], [c2, b2, a2]) => c1 - c2 || b1 - b2 || a1 - a2),
      );
    },
  );

  it.each([[['b']], [['b', 'c']]])(
    'comes once in pages sorted by %j, of which hundreds are equal',
    async (sort) => {
      const seen: string[] = [];
      for (let page = 1; page <= 25; page++) {
        const { records } = await ask(engine, {
          model: 'ties',
          attributes: ['b', 'c', 'a'],
          page,
          size: 20,
          sort,
        });
        seen.push(...records.map((record) => JSON.stringify(Object.values(record).map(Number))));
      }
      const parsed = seen.map((text) => JSON.parse(text) as [number, number, number]);
      expect(new Set(seen).size).toBe(500);
      expect(parsed).toEqual(
        parsed.toSorted(([b1, c1, a1], [b2, c2, a2]) => b1 - b2 || c1 - c2 || a1 - a2),
      );
    },
  );
});
