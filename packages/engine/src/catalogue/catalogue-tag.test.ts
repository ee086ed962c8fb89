import { expect, it } from 'vitest';

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
