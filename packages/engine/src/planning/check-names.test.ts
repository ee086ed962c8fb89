import { describe, expect, it } from 'vitest';

import { catalogueOf, columnOf, namesOf, NOTES, tableOf } from '../../test/unit/models.ts';
import { modelErrors } from './check-names.ts';

const catalogue = catalogueOf(tableOf('events', [...NOTES.columns, columnOf('extra', 'json')]));
const model = catalogue.get('events');

function errorsOf(members: object) {
  if (model === undefined) throw new Error('There is no such model.');
  return modelErrors(members, namesOf(model, catalogue));
}

describe('the names and numbers of a request', () => {
  it('have an error for each term that does not exist or has no order', () => {
    const query_sort = [{ attribute: 'extra' }, { attribute: 'word' }, { attribute: 'gone_now' }];
    expect(errorsOf({ query_sort })).toEqual([
      {
        pointer: '/query_sort/0/attribute',
        code: 'not_sortable',
        detail: '"extra" is json, which has no order.',
      },
      {
        pointer: '/query_sort/2/attribute',
        code: 'unknown_attribute',
        detail: '"events" has no attribute named "gone_now".',
      },
    ]);
  });

  it('have an error for a page size above the maximum', () => {
    expect(errorsOf({ page: { page: 1, size: 101 } })).toEqual([
      {
        pointer: '/page/size',
        code: 'size_too_large',
        detail: '/page/size: this model answers at most 100 records per page.',
        maximum: 100,
      },
    ]);
  });
});
