import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Field } from '../../catalogue/field.ts';
import type { OrderTerm } from '../../catalogue/model.ts';
import { compile } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import { sortedColumn } from './page-clauses.ts';

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
});
