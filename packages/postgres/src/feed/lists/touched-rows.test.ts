import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { postgresDialect } from '../../dialect.ts';
import { type KeyedRelation, type RowFilter, TouchedRows } from './touched-rows.ts';

const RELATION: KeyedRelation = {
  path: ['shop', 'lines'],
  key: [
    { name: 'order', type: 'bigint', equals: 'operator(pg_catalog.=)', isLeakproof: true },
    { name: 'place', type: 'bpchar', equals: 'operator(pg_catalog.=)', isLeakproof: true },
  ],
};

const EITHER: RowFilter = {
  name: 'either',
  condition: undefined,
  parameters: 2,
  sql: sql`${sql.id('t', 'a')} = ${1} or ${sql.id('t', 'b')} = ${2}`,
};

describe('what is asked of the rows with some keys', () => {
  const touched = new TouchedRows(
    RELATION,
    [
      { filter: EITHER, columns: undefined },
      { filter: EITHER, columns: ['place', 'order'] },
    ],
    postgresDialect,
  );
  const [statement] = touched.statements(new Set(['["1","a "]', '["2","b"]']));
  const { sql: text, parameters, relations } = statement ?? { sql: '', parameters: [] };

  it('is a filter in parentheses of its own', () => {
    expect(text).toContain('count(*) filter (where ("t"."a" = $1 or "t"."b" = $2))');
  });

  it('is found by the operators of the index, for keys as their types read them', () => {
    expect(text).toContain(
      `"r"."order" operator(pg_catalog.=) "k"."0" and "r"."place" operator(pg_catalog.=) "k"."1"`,
    );
    expect(text).toContain(`select ("k" ->> 0)::bigint as "0", ("k" ->> 1)::bpchar as "1"`);
    expect(text).toMatch(
      /^\s*select array_to_json.*distinct on \("r"\.tableoid, "r"\.ctid\) "r"\.\*/s,
    );
    expect(text).toContain('json_array_elements($5::json) "k" ("k")');
    expect(parameters).toEqual([1, 2, 1, 2, '[["1","a "],["2","b"]]']);
    expect(relations).toEqual([RELATION.path]);
  });

  it('is answered with a count, or with the values of the order', () => {
    expect(touched.read([['[7,[["x",null],["y","3"]]]']])).toEqual([
      { count: 7, keys: [] },
      {
        count: 2,
        keys: [
          ['x', null],
          ['y', '3'],
        ],
      },
    ]);
  });

  it('takes several statements where the filters have many parameters', () => {
    const [short, long] = [EITHER, { ...EITHER, parameters: 15_000 }];
    const filters = [short, long, short, { ...EITHER, parameters: 4996 }, long, long];
    const questions = filters.map((filter) => ({ filter, columns: undefined }));
    const many = new TouchedRows(RELATION, questions, postgresDialect);
    const counts = many
      .statements(new Set())
      .map(({ sql: one }) => one.split('count(*)').length - 1);
    expect(counts).toEqual([4, 1, 1]);
    const found = many.read([['[1,2,3,4]'], ['[5]'], ['[6]']]).map(({ count }) => count);
    expect(found).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
