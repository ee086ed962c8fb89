import { expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { ModelColumn } from '../../catalogue/model.ts';
import { compileKeyCheck } from './compile-whole-list.ts';

const onOneLine = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\( | \)/g, (m) => m.trim());

it('a key is checked for values of several rows, and for NULLs in any of its columns', () => {
  const { model } = planOf().rows;
  const [term] = model.key;
  if (term === undefined) throw new Error('A model has a key.');
  const key = [term, { ...term, column: 'rank' }];
  const { sql, parameters, relations } = compileKeyCheck({ ...model, key }, plainDialect);
  expect(onOneLine(sql)).toBe(
    'select (select count(*) from (select 1 as "x" from "notes" as "t" ' +
      'group by "t"."id", "t"."rank" having count(*) > 1 limit 1) as "repeated") + ' +
      '(select count(*) from (select 1 as "x" from "notes" as "t" ' +
      'where "t"."id" is null or "t"."rank" is null limit 1) as "missing") as "total"',
  );
  expect([parameters, relations]).toEqual([[], [['notes']]]);
});

it('a key is checked in rows with its computed columns', () => {
  const { model } = planOf().rows;
  const id = { ...model.columns.get('id'), computed: { sql: 'one', isOfRow: true } } as ModelColumn;
  const computed = { ...model, columns: new Map([...model.columns, ['id', id]]) };
  const { sql } = compileKeyCheck(computed, plainDialect);
  expect(sql).toContain('from (select (one) as "id" from "notes" as "t") as "t"');
});
