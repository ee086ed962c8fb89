import { expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Model, ModelColumn } from '../../catalogue/model.ts';
import type { Selection } from '../../catalogue/relation.ts';
import { compile } from '../compile/compile.ts';
import { freeName } from './single-evaluation.ts';

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
