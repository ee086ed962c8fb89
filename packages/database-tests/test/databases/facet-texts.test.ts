import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { askFacets } from './checked-facets.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Longer than what a sort of any database looks at. */
const LENGTH = 20_000;

const ROWS = 60;
const ENDS = 7;

const BEGINNINGS: Readonly<Record<string, string>> = {
  SQLite: `replace(hex(zeroblob(${LENGTH / 2})), '00', 'xx')`,
};

describe.each(FIXTURES)('long texts on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    const beginning = BEGINNINGS[fixture.family] ?? `repeat('x', ${LENGTH})`;
    const rows = Array.from(
      { length: ROWS },
      (_, row) => `insert into texts select ${row}, ${beginning}`,
    );
    const type = fixture.family === 'MariaDB' ? 'longtext' : 'text';
    await database.execute([
      `create table texts (id integer not null primary key, v ${type})`,
      ...rows,
      fixture.family === 'MariaDB'
        ? `update texts set v = concat(v, id % ${ENDS})`
        : `update texts set v = v || (id % ${ENDS})`,
    ]);
    engine = await open(database.url);
  });

  it('are one value only where all of them is equal', async () => {
    const { facets } = await askFacets(engine, {
      model: 'texts',
      facets: [{ attribute: 'v', values: 100, sort: 'value' }],
    });
    const counts = facets[0]?.values?.map(({ value, count }) => `${String(value).at(-1)} ${count}`);
    const expected = Array.from({ length: ENDS }, (_, end) => `${end} ${end < 4 ? 9 : 8}`);
    expect(counts?.toSorted()).toEqual(expected);
    expect([facets[0]?.distinct, facets[0]?.nulls]).toEqual([String(ENDS), '0']);
  });
});
