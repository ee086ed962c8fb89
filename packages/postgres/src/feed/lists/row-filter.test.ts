import type { Attribute, Condition } from '@proj/engine/following';
import { describe, expect, it } from 'vitest';

import { below, COLUMNS } from '../../../test/feed/listed-relation.ts';
import { postgresDialect } from '../../dialect.ts';
import { ALL_ROWS, isStable, RowFilters } from './touched-rows.ts';

/** The same condition on the column of another attribute. */
function on(facts: Partial<Attribute>): Condition {
  const condition = below(7n);
  if (!('attribute' in condition)) throw new Error('It is a comparison.');
  return { ...condition, attribute: { ...condition.attribute, ...facts } };
}

describe('the filter of a list', () => {
  it('has one name with all that are the same SQL', () => {
    const filters = new RowFilters(postgresDialect);
    const nameOf = (condition: Condition): string => filters.of(condition).name;
    const condition = below(7n);
    expect(filters.of(condition)).toBe(filters.of(condition));
    expect(nameOf(below(7n))).toBe(nameOf(condition));
    const others = [below(8n), on({ column: 'id' }), { not: condition }, { and: [condition] }];
    const names = [condition, ...others].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    expect(filters.of(undefined)).toBe(ALL_ROWS);
  });

  it.each([
    { is: 'all rows', condition: undefined, stable: true },
    { is: 'a column of its row', condition: below(7n), stable: true },
    { is: 'no column that it has', condition: on({ column: 'other' }), stable: false },
    { is: 'a column of another row', condition: on({ join: 0 }), stable: false },
    { is: 'what rows refer to it', condition: { referred: {} } as Condition, stable: false },
  ])('looks at $is: $stable, as far as that cannot change unnoticed', ({ condition, stable }) => {
    expect(isStable({ condition }, COLUMNS)).toBe(stable);
  });

  it('may change unnoticed where it looks at a column whose functions may', () => {
    const columns = COLUMNS.map((column) => ({ ...column, isStable: column.name !== 'low' }));
    expect(isStable({ condition: { or: [on({ column: 'id' }), below(7n)] } }, columns)).toBe(false);
    expect(isStable({ condition: on({ column: 'id' }) }, columns)).toBe(true);
  });
});
