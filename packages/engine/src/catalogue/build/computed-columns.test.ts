import { describe, expect, it } from 'vitest';

import { columnOf, tableOf } from '../../../test/unit/models.ts';
import type { DescribedColumn } from '../described-column.ts';
import type { ModelError } from '../model-settings.ts';
import { withComputed } from './computed-columns.ts';

const RELATION = tableOf('items', [columnOf('id'), columnOf('Price'), columnOf('a`b')]);

function described(sql: string): DescribedColumn {
  const computed = { sql, isOfRow: true };
  return { type: 'int64', databaseType: 'bigint', computed, isLate: true };
}

describe('computed columns', () => {
  it('have names that no column of the relation has, in any case', () => {
    const settings = { sql: 'id', type: 'int64' } as const;
    const model = { attributes: { price: settings, PRICE: settings, other: settings } };
    const names = ['price', 'PRICE', 'other'];
    const columns = new Map(names.map((name) => [name, described('id')]));
    const { relation } = withComputed(RELATION, model, { described: columns, errors: [] });
    const shown = relation.columns.map(({ name }) => name);
    expect(shown).toEqual(['id', 'Price', 'a`b', '_price', '__PRICE', 'other']);
  });

  it('that are computed late read what their text names', () => {
    const model = { attributes: { it: { sql: '', type: 'int64' } } } as const;
    const columns = new Map([['it', described('t.`a``b` + PRICE')]]);
    const { relation } = withComputed(RELATION, model, { described: columns, errors: [] });
    expect(relation.columns.at(-1)?.computed?.reads).toEqual(['Price', 'a`b']);
  });

  it('are refused by the place in the settings where the database computes none', () => {
    const errors: ModelError[] = [];
    const model = { attributes: { it: { sql: 'id', type: 'int64' } } } as const;
    const { relation } = withComputed(RELATION, model, { described: undefined, errors });
    expect(relation.columns).toEqual(RELATION.columns);
    expect(errors).toMatchObject([{ path: ['attributes', 'it', 'sql'] }]);
  });
});
