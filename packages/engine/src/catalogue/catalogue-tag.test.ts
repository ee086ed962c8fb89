import { expect, it, vi } from 'vitest';

import { buildCatalogue } from './build/build.ts';
import { catalogueTag } from './document.ts';
import { EVERYTHING, Grant } from './grant.ts';
import type { Relation } from './relation.ts';

function catalogueOf(nullable: boolean) {
  const column = { name: 'id', databaseType: 'int', type: 'int32', description: null } as const;
  const relation: Relation = {
    path: ['a'],
    name: 'a',
    kind: 'table',
    columns: [
      { ...column, nullable: false },
      { ...column, name: 'n', nullable },
    ],
    keys: [[{ column: 'id' }]],
    description: null,
  };
  return buildCatalogue([relation], { expose: 'all', models: {}, maxPageSize: 50 }).catalogue;
}

const seen = (...names: string[]): Grant =>
  new Grant(new Map([['a', { attributes: new Set(names) }]]));

it('names the same catalogue alike after it was built anew', () => {
  expect(catalogueTag(catalogueOf(true), EVERYTHING)).toBe(
    catalogueTag(catalogueOf(true), EVERYTHING),
  );
});

it('names a catalogue otherwise once an attribute may be NULL', () => {
  expect(catalogueTag(catalogueOf(true), EVERYTHING)).not.toBe(
    catalogueTag(catalogueOf(false), EVERYTHING),
  );
});

it('goes by what a grant shows, and by nothing that is hidden from it', () => {
  const [before, after] = [catalogueOf(true), catalogueOf(false)];
  expect(catalogueTag(before, seen('id'))).toBe(catalogueTag(after, seen('id')));
  expect(catalogueTag(before, seen('id', 'n'))).not.toBe(catalogueTag(before, seen('id')));
});

it('is of the page sizes too', () => {
  const catalogue = catalogueOf(true);
  const tags = [20, 10].map((maxPageSize) =>
    catalogueTag(catalogue, new Grant(new Map([['a', { attributes: 'all', maxPageSize }]]))),
  );
  expect(tags[0]).not.toBe(tags[1]);
});

it('is computed once for all grants that differ in their rows or their session alone', () => {
  const catalogue = catalogueOf(true);
  const names = vi.spyOn(catalogue, 'keys');
  const tags = [1, 2, 3].map((value) => {
    const rowPolicy = { attribute: 'id', op: 'eq', value } as const;
    const session = { role: 'tenant', settings: { 'app.tenant': String(value) }, trusts: [] };
    const models = new Map([['a', { attributes: 'all', rowPolicy } as const]]);
    return [new Grant(models), new Grant(models, session)].map((grant) =>
      catalogueTag(catalogue, grant),
    );
  });
  expect(new Set(tags.flat()).size).toBe(1);
  expect(names).toHaveBeenCalledOnce();
});
