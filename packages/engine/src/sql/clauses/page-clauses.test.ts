import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Field } from '../../catalogue/field.ts';
import type { OrderTerm } from '../../catalogue/model.ts';
import { compile } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import { orderedFields, pageClauses, sortedColumn } from './page-clauses.ts';

const FIELD: Field = {
  name: 'at',
  column: 'at',
  type: 'date',
  items: undefined,
  databaseType: '',
  storedAs: 'text',
};
const TERM: OrderTerm = { column: 'at', direction: 'asc', nulls: 'last', nullable: true };

const comparable: Dialect['comparable'] = (column, { name }) => sql`${sql.raw(name)}_of(${column})`;

describe('a column in an order', () => {
  it.each<[string, OrderTerm, Dialect, string]>([
    ['as it is stored', TERM, { ...plainDialect, comparable }, '"t"."at"'],
    [
      'in the form of its field',
      { ...TERM, field: FIELD },
      { ...plainDialect, comparable },
      'at_of("t"."at")',
    ],
    [
      'as it is stored where the dialect has no other form',
      { ...TERM, field: FIELD },
      plainDialect,
      '"t"."at"',
    ],
  ])('is compared %s', (_how, term, dialect, text) => {
    expect(compile(sortedColumn(term, dialect), dialect).sql).toBe(text);
  });

  it('has the field of its term, or else that of the column', () => {
    const plan = planOf({ query_sort: [{ attribute: 'at' }] });
    expect(orderedFields(plan).map(({ field }) => field.type)).toEqual(['timestamp', 'int64']);
    const order = [{ ...TERM, field: FIELD }];
    expect(orderedFields({ ...plan, order })[0]?.field).toBe(FIELD);
  });
});

it('the clauses of a page say its order and the limit of its bytes', () => {
  expect(pageClauses(planOf(), plainDialect, 5)).toMatchObject({
    outputs: 'c',
    reversed: false,
    maxBytes: 5,
  });
});
