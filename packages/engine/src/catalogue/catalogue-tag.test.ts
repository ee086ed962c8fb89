import { expect, it, vi } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { catalogueTag } from './document.ts';
import { EVERYTHING, Grant } from './grant.ts';

/** A catalogue whose one attribute beside the key may be NULL or not. */
const withNullable = (nullable: boolean) =>
  catalogueOf(tableOf('a', [columnOf('id', 'int32', false), columnOf('n', 'int32', nullable)]));

const seen = (...names: string[]): Grant =>
  new Grant(new Map([['a', { attributes: new Set(names) }]]));

it('names the same catalogue alike after it was built anew', () => {
  expect(catalogueTag(withNullable(true), EVERYTHING)).toBe(
    catalogueTag(withNullable(true), EVERYTHING),
  );
});

it('names a catalogue otherwise once an attribute may be NULL', () => {
  expect(catalogueTag(withNullable(true), EVERYTHING)).not.toBe(
    catalogueTag(withNullable(false), EVERYTHING),
  );
});

it('goes by what a grant shows, and by nothing that is hidden from it', () => {
  const [before, after] = [withNullable(true), withNullable(false)];
  expect(catalogueTag(before, seen('id'))).toBe(catalogueTag(after, seen('id')));
  expect(catalogueTag(before, seen('id', 'n'))).not.toBe(catalogueTag(before, seen('id')));
});

it('is of the page sizes too', () => {
  const catalogue = withNullable(true);
  const tags = [20, 10].map((maxPageSize) =>
    catalogueTag(catalogue, new Grant(new Map([['a', { attributes: 'all', maxPageSize }]]))),
  );
  expect(tags[0]).not.toBe(tags[1]);
});

it('is computed once for all grants that differ in their rows or their session alone', () => {
  const catalogue = withNullable(true);
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
