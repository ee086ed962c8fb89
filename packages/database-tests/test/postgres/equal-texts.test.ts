import { EVERYTHING } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

/** Each text of a group equals another one; they come in either order. */
const SQL = `
  create extension citext;
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create table words (id int primary key, part int, a text collate any_case, b citext);
  insert into words values
    (1, 1, 'k', 'K'), (2, 1, 'K', 'k'), (3, 1, 'L', 'l'), (4, 1, 'l', 'L'),
    (5, 2, 'K', 'k'), (6, 2, 'k', 'K'), (7, 2, 'l', 'L'), (8, 2, 'L', 'l'), (9, 2, null, null),
    (10, 3, null, null), (11, 4, 'say "ü" \\ / '' ', 'x');`;

const ATTRIBUTES = ['part', 'a_min', 'a_max', 'b_min', 'b_max'];

const GROUPING = {
  query_groups: ['part'],
  query_aggregates: ['a', 'b'].flatMap((attribute) =>
    ['min', 'max'].map((op) => ({ name: `${attribute}_${op}`, op, attribute })),
  ),
};

const FOUND = [
  [1, 'K', 'l', 'K', 'l'],
  [2, 'K', 'l', 'K', 'l'],
  [3, null, null, null, null],
  [4, 'say "ü" \\ / \' ', 'say "ü" \\ / \' ', 'x', 'x'],
];

const rowsOf = (records: readonly object[]): unknown[] => records.map(Object.values);

describe('the first and the last text of groups, of texts that PostgreSQL holds equal', () => {
  const postgres = usePostgres(SQL);

  it('are those of the least and the greatest bytes, in pages and in exports', async () => {
    const engine = await open(postgres().url);
    const paged = async (more: object = {}): Promise<unknown[]> => {
      const asked = { query_model: 'words', query_attributes: ATTRIBUTES, ...GROUPING };
      const body = { ...asked, page: { page: 1, size: 10 }, ...more };
      return rowsOf(JSON.parse((await engine.query(body, EVERYTHING)).result) as object[]);
    };
    expect(await paged()).toEqual(FOUND);
    const list = { model: 'words', attributes: ATTRIBUTES, grouping: GROUPING };
    expect(rowsOf((await exported(engine, list)).records)).toEqual(FOUND);
    const equal = { attribute: 'a_max', op: 'gte', value: 'L' };
    expect(await paged({ query_group_filter: equal })).toEqual([FOUND[0], FOUND[1], FOUND[3]]);
    const sort = [{ attribute: 'b_min', direction: 'desc', nulls: 'last' }];
    expect(await paged({ query_sort: sort })).toEqual([3, 0, 1, 2].map((index) => FOUND[index]));
  });
});
