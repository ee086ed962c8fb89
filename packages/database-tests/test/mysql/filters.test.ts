import type { Filter } from '@proj/contract';
import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const SQL = `
  create table numbers (id int primary key, natural_ bigint unsigned, exact decimal(20, 2), wide decimal(65, 30),
    single float, twice double, truth boolean, key (exact), key (single));
  insert into numbers values
    (1, 18446744073709551615, 1.00, 0.000000000000000000000000000001, 0.1, 0.1, true),
    (2, 9223372036854775808, 1.01, 0, 0.25, 1e308, false),
    (3, 0, -1.00, ${'9'.repeat(35)}, -0.1, -5e-324, 2),
    (4, null, null, null, null, null, null);
  create table texts (id int primary key, t varchar(30), b varchar(30) collate utf8mb4_bin, l varchar(30) character set latin1,
    u varchar(30) character set utf8mb3, e enum('open', 'OPENED'), key (t), key (l), key (u));
  insert into texts values
    (1, 'abc', 'abc', 'abc', 'abc', 'open'), (2, 'ABC', 'ABC', 'ABC', 'ABC', 'OPENED'), (3, 'abc ', 'abc ', 'abc ', 'abc ', null),
    (4, 'äbc', 'äbc', 'äbc', 'äbc', null), (5, '50%_|\\\\x', '50%_|\\\\x', '50%_|\\\\x', '50%_|\\\\x', null), (6, '😀', '😀', '?', '?', null),
    (7, null, null, null, null, null), (8, '', '', '', '', null), (9, 'xÄBCx', 'xÄBCx', 'xÄBCx', 'xÄBCx', null);
  create table years (id int primary key, y year);
  insert into years values (1, 0), (2, 1970), (3, 2070), (4, null);`;

/** Each shows four digits after the point of more. */
const QUOTIENTS = 'create view quotients as select id, 1 / id as third from numbers where id > 1;';

type Case = readonly [attribute: string, op: string, value: unknown, ids: readonly number[]];

const NUMBERS: readonly Case[] = [
  ['natural_', 'eq', '18446744073709551615', [1]],
  ['natural_', 'gt', '-1', [1, 2, 3]],
  ['natural_', 'gte', '9223372036854775808', [1, 2]],
  ['exact', 'gt', '1.0000000001', [2]],
  ['exact', 'gte', '1.009999999999999999999999999999999999', [2]],
  ['exact', 'eq', '0.99999999999999999999999999999999999999', []],
  ['exact', 'lt', '0.99999999999999999999999999999999999999', [3]],
  ['exact', 'gte', '0.99999999999999999999999999999999999999', [1, 2]],
  ['exact', 'eq', '1.00000000000000000000000000000000000001', []],
  ['exact', 'lt', `1${'0'.repeat(37)}`, [1, 2, 3]],
  ['exact', 'gt', `-1${'0'.repeat(37)}`, [1, 2, 3]],
  ['wide', 'gt', '0', [1, 3]],
  ['wide', 'eq', '0.000000000000000000000000000001', [1]],
  ['wide', 'eq', '9'.repeat(35), [3]],
  ['wide', 'lt', `1${'0'.repeat(35)}`, [1, 2, 3]],
  ['single', 'eq', 0.1, [1]],
  ['single', 'lt', 0.1, [3]],
  ['single', 'gte', -0.1, [1, 2, 3]],
  ['single', 'eq', 0.10000000001, []],
  ['twice', 'lt', 'Infinity', [1, 2, 3]],
  ['twice', 'gt', '-Infinity', [1, 2, 3]],
  ['twice', 'eq', 'NaN', []],
  ['truth', 'ne', true, [2, 3]],
];

// databases/operators and text-match have the types that other databases have too.
const TEXTS: readonly Case[] = (['t', 'b', 'l', 'u'] as const).flatMap((column): Case[] => [
  [column, 'eq', 'abc', [1]],
  [column, 'eq', 'abc ', [3]],
  [column, 'eq', 'ABC', [2]],
  [column, 'eq', 'äbc', [4]],
  [column, 'eq', '', [8]],
  [column, 'ne', 'abc', [2, 3, 4, 5, 6, 8, 9]],
  [column, 'in', ['abc', 'äbc', '😀'], column === 't' || column === 'b' ? [1, 4, 6] : [1, 4]],
  [column, 'not_in', ['abc', 'äbc'], [2, 3, 5, 6, 8, 9]],
  [column, 'starts_with', 'ab', [1, 3]],
  [column, 'starts_with', 'ä', [4]],
  [column, 'starts_with', '', [1, 2, 3, 4, 5, 6, 8, 9]],
  [column, 'ends_with', 'c', [1, 4]],
  [column, 'ends_with', 'c ', [3]],
  [column, 'contains', 'b', [1, 3, 4]],
  [column, 'contains', '%', [5]],
  [column, 'contains', '_|\\', [5]],
  [column, 'ieq', 'aBC', [1, 2]],
  [column, 'ieq', 'ÄBC', [4]],
  [column, 'icontains', 'äB', [4, 9]],
  [column, 'istarts_with', 'Ab', [1, 2, 3]],
  [column, 'iends_with', 'BC', [1, 2, 4]],
  [column, 'is_distinct', 'abc', [2, 3, 4, 5, 6, 7, 8, 9]],
]);

const OTHERS: readonly Case[] = [
  ['e', 'eq', 'open', [1]],
  ['e', 'eq', 'OPEN', []],
  ['e', 'in', ['opened', 'OPENED'], [2]],
  ['b', 'gte', 'xa', [4, 6, 9]],
  ['u', 'gte', 'xa', [9]],
];

const YEARS: readonly Case[] = [
  ['y', 'eq', 70, []],
  ['y', 'in', [0, 70, 2070], [1, 3]],
  ['y', 'gt', 69, [2, 3]],
  ['y', 'is_distinct', 70, [1, 2, 3, 4]],
];

const OF_QUOTIENTS: readonly Case[] = [
  ['third', 'eq', '0.3333', [3]],
  ['third', 'in', ['0.3333', '0.5'], [2, 3]],
  ['third', 'not_in', ['0.3333', '0.5'], [4]],
  ['third', 'between', ['0.3333', '0.3333'], [3]],
];

describeMariadb('a filter on MariaDB', () => {
  const mariadb = useMariadb(`${SQL}${QUOTIENTS}`);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url);
  });

  it.each([
    ...NUMBERS.map((one) => ['numbers', ...one] as const),
    ...TEXTS.map((one) => ['texts', ...one] as const),
    ...OTHERS.map((one) => ['texts', ...one] as const),
    ...YEARS.map((one) => ['years', ...one] as const),
    ...OF_QUOTIENTS.map((one) => ['quotients', ...one] as const),
  ])('compares exactly: %s.%s %s %j', async (...[model, attribute, op, value, ids]) => {
    const leaf = { attribute, op, value } as Filter;
    expect(await idsOf(engine, model, leaf)).toEqual(ids);
    // What is neither true nor false stays so when it is turned round.
    const inverse = await idsOf(engine, model, { not: leaf });
    expect([...inverse, ...ids].toSorted((a, b) => a - b)).toEqual(await decided(model, leaf, ids));
  });

  /** All rows, without those of which a comparison with NULL says nothing. */
  async function decided(model: string, leaf: Filter, ids: readonly number[]): Promise<number[]> {
    const { attribute, op } = leaf as { attribute: string; op: string };
    const all = { attribute: 'id', op: 'gt', value: -1 } as Filter;
    const known = { attribute, op: 'is_null', value: false } as Filter;
    expect(ids.length).toBeLessThanOrEqual(9);
    return idsOf(engine, model, op === 'is_null' || op === 'is_distinct' ? all : known);
  }

  it('finds a text through the index of its column, whichever character set that has', async () => {
    for (const column of ['t', 'l', 'u']) {
      // A value that nobody asked for before: its reply is not kept.
      await idsOf(engine, 'texts', { attribute: column, op: 'eq', value: `äbc ${column}` });
      const statement =
        (await mariadb().log())
          .split('\n')
          .findLast((line) => line.includes('Execute') && line.includes(column)) ?? '';
      const explained = await mariadb().client(`explain ${statement.replace(/^.*Execute\s/, '')}`);
      expect(explained.split('\n')[0]).toMatch(/\t(range|ref)\t/);
    }
  });
});
