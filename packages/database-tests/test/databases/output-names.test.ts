import { type Engine, EVERYTHING } from '@proj/engine';
import { hasMysql } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { mysql } from '../fixtures/mysql.ts';
import { open } from '../open.ts';

/** Only MySQL takes the column of an order for an output. */
const FIXTURES = new Set([...fixturesOf(import.meta.filename), ...(hasMysql() ? [mysql] : [])]);

/** Names that our statements give to what they show, or to rows that have such columns. */
const COLUMNS = 'q r s d k x n c0 c1 k0 k1 n0 r0 a name one'.split(' ');

const ROWS = Array.from({ length: 40 }, (_, id) => ({
  id,
  values: COLUMNS.map((__, place) => (id * (place + 3)) % 7),
}));

type Row = (typeof ROWS)[number];

function valueOf({ values }: Row, column: string): number {
  return values[COLUMNS.indexOf(column)] ?? 0;
}

function sortedBy(column: string): Row[] {
  return ROWS.toSorted(
    (one, other) => valueOf(one, column) - valueOf(other, column) || one.id - other.id,
  );
}

describe.each([...FIXTURES])('columns with names of outputs on $name', (fixture) => {
  let engine: Engine;
  beforeAll(async () => {
    const database = await fixture.create();
    const columns = ['id', ...COLUMNS].map((name) => fixture.identifier(name));
    const rows = ROWS.map(({ id, values }) => `(${[id, ...values].join(', ')})`);
    const declared = columns.map((name) => `${name} int not null`).join(', ');
    await database.execute([
      `create table base (${declared}, primary key (id))`,
      `insert into base values ${rows.join(', ')}`,
    ]);
    const typed = fixture.declaresTypes ? ['id', ...COLUMNS] : [];
    const attributes = {
      ...Object.fromEntries(typed.map((name) => [name, { type: 'int32' as const }])),
      twice: { sql: `t.${fixture.identifier('c0')} * 2`, type: 'int64' as const },
    };
    const sql = `select ${columns.join(', ')} from base`;
    const models = { computed: { source: 'base', attributes }, selected: { sql, attributes } };
    const keyed = { ...models, selected: { ...models.selected, key: ['id'] } };
    engine = await open(database.url, { models: keyed });
  });

  it.each(['computed', 'selected'])('are sorted by, each of them: %s', async (query_model) => {
    expect(engine.reports).toEqual([]);
    for (const attribute of COLUMNS) {
      const rows = sortedBy(attribute);
      const query_sort = [{ attribute, direction: 'asc' }];
      const body = { query_model, query_attributes: ['one', 'twice', 'x'], query_sort };
      const shown = rows.map((row) => ({
        one: valueOf(row, 'one'),
        twice: String(valueOf(row, 'c0') * 2),
        x: valueOf(row, 'x'),
      }));
      for (const number of [1, 2, 3, 4]) {
        const asked = { ...body, page: { page: number, size: 11 } };
        const { result } = await engine.query(asked, EVERYTHING);
        const cut = shown.slice((number - 1) * 11, number * 11);
        expect([attribute, JSON.parse(result)]).toEqual([attribute, cut]);
      }
      const place = rows.findIndex(({ id }) => id === 17);
      const containing = { ...body, page: { containing: { id: 17 }, size: 3 } };
      const { page: found } = await engine.query(containing, EVERYTHING);
      expect([attribute, found.page]).toEqual([attribute, String(Math.floor(place / 3) + 1)]);
    }
  });
});
