import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Model, ModelColumn } from '../../catalogue/model.ts';
import type { Selection } from '../../catalogue/relation.ts';
import { compile } from '../compile/compile.ts';
import { evaluatedOnce, freeName } from './single-evaluation.ts';

const { model } = planOf().rows;

function nameBeside(relations: string[][], changes: Partial<Model> = {}): string {
  const name = freeName('once', { relations, models: [{ ...model, ...changes }] });
  return compile(name, plainDialect).sql;
}

it('a list that is evaluated once has the name of no relation that its statement may name', () => {
  const selection = { sql: 'select * from ONCE' } as Selection;
  const column = { computed: { sql: '(select 1 from Once_)' } } as ModelColumn;
  expect([
    nameBeside([['notes']]),
    nameBeside([['shop', 'ONCE'], ['once_']]),
    nameBeside([], { selection }),
    nameBeside([], { columns: new Map([...model.columns, ['one', column]]) }),
  ]).toEqual(['"once"', '"once__"', '"once_"', '"once__"']);
});

it.each([
  [false, 'from "notes" where true', 'select * from "once" as "t"'],
  [true, 'from "notes"', 'select * from "once" as "t" where true'],
])('rows are chosen where columns have their last value: again, %s', (again, within, outside) => {
  const { rows, facts } = planOf();
  const list = {
    rows,
    facts: { ...facts, varies: { inTransaction: false } },
    relations: [],
    models: [],
  };
  const dialect = { ...plainDialect, reevaluatesColumns: again };
  const needed = [{ column: 'word' }];
  const page = { from: sql`"notes"`, where: sql` where true` };
  const { clauses, complete } = evaluatedOnce({ list, needed }, page, dialect);
  const statement = complete(sql`select * from ${clauses.from}${clauses.where}`);
  expect(compile(statement, dialect).sql.replaceAll(/\s+/g, ' ')).toBe(
    `with "once" as materialized (select "t"."word" ${within}) select * from (${outside}) as "s"`,
  );
});
