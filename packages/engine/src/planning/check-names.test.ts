import { describe, expect, it } from 'vitest';

import { catalogueOf, columnOf, namesOf, NOTES, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import { modelErrors, unknownModel } from './check-names.ts';

const catalogue = catalogueOf(tableOf('events', [...NOTES.columns, columnOf('extra', 'json')]));
const model = catalogue.get('events');

function errorsOf(members: object) {
  if (model === undefined) throw new Error('There is no such model.');
  return modelErrors(members, namesOf(model, catalogue));
}

describe('the names and numbers of a request', () => {
  it('have no errors where they are absent or fit the model', () => {
    expect(errorsOf({})).toEqual([]);
    const query_sort = [{ attribute: 'word' }, { attribute: 'rank' }];
    const page = { page: 1, size: 100 };
    expect(errorsOf({ query_attributes: ['word', 'extra'], query_sort, page })).toEqual([]);
  });

  it('have an error for each attribute that does not exist', () => {
    expect(errorsOf({ query_attributes: ['word', 'wort', 'x'] })).toEqual([
      {
        pointer: '/query_attributes/1',
        code: 'unknown_attribute',
        detail: '"events" has no attribute named "wort".',
        did_you_mean: 'word',
      },
      {
        pointer: '/query_attributes/2',
        code: 'unknown_attribute',
        detail: '"events" has no attribute named "x".',
      },
    ]);
  });

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

describe('the error of an unknown model', () => {
  it('names it, with the visible name that comes close', () => {
    expect(unknownModel({ query_model: 'event' }, catalogue, EVERYTHING)).toEqual([
      {
        pointer: '/query_model',
        code: 'unknown_model',
        detail: 'No model is named "event".',
        did_you_mean: 'events',
      },
    ]);
  });

  it('is left to the contract where no model is named', () => {
    expect(unknownModel({}, catalogue, EVERYTHING)).toEqual([]);
  });
});
