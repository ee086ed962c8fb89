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

  it.each([
    { size: 37, order: ['c', 'b', 'a'] },
    { size: 499, order: ['c', 'b', 'a'] },
    { size: 20, order: ['b', 'c', 'a'], sort: ['b'] },
    { size: 20, order: ['b', 'c', 'a'], sort: ['b', 'c'] },
  ])('comes once in the pages of a table full of ties, in order: %j', async (asked) => {
    const { order: attributes, ...list } = asked;
    const seen: number[][] = [];
    for (let page = 1, hasNext = true; hasNext; page++) {
      const reply = await ask(engine, { model: 'ties', attributes, page, ...list });
      seen.push(...reply.records.map((record) => Object.values(record).map(Number)));
      hasNext = reply.page.has_next;
    }
    expect(new Set(seen.map(String)).size).toBe(500);
    expect(seen).toEqual(seen.toSorted(compare));
  });
});

/** By the first values that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.reduce((found, value, place) => found || value - (other[place] ?? 0), 0);
}
