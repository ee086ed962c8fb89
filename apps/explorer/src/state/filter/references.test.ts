import type { ModelEntry } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { attributeOf, CITIES } from '../cities-model.test-data.ts';
import { allOf } from './filter-tree.ts';
import { keyTexts, linksIn, linksOfCell, linksOut } from './references.ts';
import type { Condition } from '../view-state.ts';

const VISITS: ModelEntry = {
  ...CITIES,
  name: 'visits',
  attributes: [attributeOf('number', 'int32', false), attributeOf('city', 'int64')],
  key: ['number'],
  references: [{ name: 'place', attributes: ['city'], model: 'cities', key: ['id'] }],
};
const MODELS = [CITIES, VISITS];
const equal = (attribute: string, operand: string): Condition => {
  return { attribute, operator: 'eq', operands: [operand] };
};

describe('the references of a record', () => {
  it('lead to the record whose key it holds, and open it', () => {
    const [link] = linksOut(MODELS, VISITS, { number: '1', city: '"9223372036854775807"' });
    expect(link).toMatchObject({
      attributes: ['city'],
      model: 'cities',
      view: {
        model: 'cities',
        filter: allOf(equal('id', '9223372036854775807')),
        record: ['9223372036854775807'],
      },
    });
  });

  it('lead nowhere where the value is NULL, or the other model is not visible', () => {
    expect(linksOut(MODELS, VISITS, { number: '1', city: 'null' })).toEqual([]);
    expect(linksOut([VISITS], VISITS, { number: '1', city: '"5"' })).toEqual([]);
  });

  it('lead from a cell that holds the key, and from a column along the reference', () => {
    const model = { ...VISITS, others: MODELS };
    const record = { number: '1', city: '"5"', 'place.name': 'null', 'place.id': '"5"' };
    for (const attribute of ['city', 'place.name']) {
      const [link] = linksOfCell(model, attribute, record);
      expect(link?.view).toMatchObject({ model: 'cities', filter: allOf(equal('id', '5')) });
      expect(link?.view.record).toEqual(['5']);
    }
    expect(linksOfCell(model, 'number', record)).toEqual([]);
    expect(linksOfCell(model, 'place.name', { ...record, 'place.id': 'null' })).toEqual([]);
    const keyless = { ...VISITS, others: [{ ...CITIES, key: [] }] };
    expect(linksOfCell(keyless, 'place.name', record)).toEqual([]);
  });

  it('lead back to all records that refer to it', () => {
    const [link] = linksIn(MODELS, CITIES, { id: '"5"' });
    expect(link).toMatchObject({
      attributes: ['city'],
      view: { model: 'visits', filter: allOf(equal('city', '5')), record: null },
    });
    expect(linksIn(MODELS, VISITS, { number: '1' })).toEqual([]);
  });
});

it('names a record by the texts of its whole key, or not at all', () => {
  expect(keyTexts(CITIES, { id: '"5"', name: '"Bern"' })).toEqual(['5']);
  expect(keyTexts(CITIES, { name: '"Bern"' })).toBeNull();
  expect(keyTexts({ ...CITIES, key: [] }, { id: '"5"' })).toBeNull();
});
