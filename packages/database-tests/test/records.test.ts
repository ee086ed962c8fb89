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
  'create table ties (a integer not null, b integer not null, c integer not null, primary key (c, b, a))',
  `insert into ties values ${TIES.join(', ')}`,
];

describe.each(FIXTURES)('a record on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(SCRIPT);
    engine = await open(database.url);
  });

  it.each([37, 499])(
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
