import { DatabaseSync } from 'node:sqlite';

import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { compile } from '../../sql/compile/compile.ts';
import type { SelectedRecords } from '../../sql/dialect.ts';
import { selectInOneRow } from './facet-sql.ts';

const database = new DatabaseSync(':memory:');

function textOf(_: unknown, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select group_concat("c0" || "c1", '') from (${rows})`;
}

/** The row of a statement that selects the texts of these lists, and others behind them. */
function rowOf(lists: readonly SelectedRecords[], maxBytes: number): unknown {
  const others = [sql`'other'`, sql`'more'`];
  const statement = selectInOneRow(lists, textOf, { maxBytes, others });
  const { sql: text, parameters } = compile(statement, plainDialect);
  const prepared = database.prepare(text);
  prepared.setReturnArrays(true);
  return prepared.get(...(parameters as string[]));
}

function listOf(letters: string, when?: RawBuilder<unknown>): SelectedRecords {
  const list = { fields: [], columns: [sql`${letters}`, sql`'-'`], rest: sql`from (select 1)` };
  return when === undefined ? list : { ...list, when };
}

describe('lists in one row', () => {
  it('are read from it in their order, with what else is selected behind them', () => {
    expect(rowOf([listOf('a'), listOf('bc')], 1000)).toEqual(['a-', 'bc-', 'other', 'more']);
  });

  it('are NULL where their condition is not met', () => {
    const lists = [listOf('a', sql`1 = 2`), listOf('b', sql`1 = 1`), listOf('c', sql`null`)];
    expect(rowOf(lists, 1000)).toEqual([null, 'b-', null, 'other', 'more']);
  });

  it('are all NULL where all of them together are longer than they may be', () => {
    const lists = [listOf('é'), listOf('abc'), listOf('long', sql`1 = 2`)];
    expect([7, 6].map((maxBytes) => rowOf(lists, maxBytes))).toEqual([
      ['é-', 'abc-', null, 'other', 'more'],
      [null, null, null, 'other', 'more'],
    ]);
  });
});
