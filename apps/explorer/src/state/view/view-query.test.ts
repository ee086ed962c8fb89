import type { ModelEntry } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { CITIES } from '../cities-model.test-data.ts';
import { allOf } from '../filter/filter-tree.ts';
import {
  type Condition,
  type FilterGroup,
  FIRST_VIEW,
  type Match,
  type ViewState,
} from '../view-state.ts';
import { viewQuery, withKeys } from './view-query.ts';

const query = (view: Partial<ViewState>, model: ModelEntry = CITIES) =>
  viewQuery({ ...FIRST_VIEW, model: model.name, ...view }, model);

describe('the query of a view', () => {
  it('asks for all attributes of the model where none are chosen', () => {
    expect(query({})).toEqual({
      model: 'cities',
      attributes: ['id', 'name', 'population', 'area'],
      page: 1,
      size: 50,
    });
  });

  it('asks for the chosen attributes in their order, sorted', () => {
    const sort = [{ attribute: 'population', direction: 'desc' }] as const;
    expect(query({ attributes: ['name', 'id'], sort, page: 3, size: 20 })).toEqual({
      model: 'cities',
      attributes: ['name', 'id'],
      page: 3,
      size: 20,
      sort,
    });
  });

  it('has a lone condition as its filter, with the value in the JSON of its type', () => {
    expect(
      query({
        filter: allOf({ attribute: 'population', operator: 'gte', operands: ['1000'] }),
      }).filter,
    ).toEqual({
      attribute: 'population',
      op: 'gte',
      value: 1000,
    });
  });

  it('groups several conditions as the reader chose', () => {
    const parts = [
      { attribute: 'id', operator: 'between', operands: ['1', '9007199254740993'] },
      { attribute: 'name', operator: 'in', operands: ['a', ''] },
      { attribute: 'population', operator: 'not_null', operands: [] },
      { attribute: 'area', operator: 'is_null', operands: [] },
    ] as const;
    const leaves = [
      { attribute: 'id', op: 'between', value: ['1', '9007199254740993'] },
      { attribute: 'name', op: 'in', value: ['a', ''] },
      { attribute: 'population', op: 'is_null', value: false },
      { attribute: 'area', op: 'is_null', value: true },
    ];
    const of = (match: Match) => query({ filter: { match, parts } }).filter;
    expect(of('all')).toEqual({ and: leaves });
    expect(of('any')).toEqual({ or: leaves });
    expect(of('not_all')).toEqual({ not: { and: leaves } });
    expect(of('none')).toEqual({ not: { or: leaves } });
  });

  it('has groups within groups', () => {
    const [one, two] = ['1', '2'].map((id): Condition => {
      return { attribute: 'id', operator: 'eq', operands: [id] };
    }) as [Condition, Condition];
    const group: FilterGroup = { match: 'any', parts: [one, { match: 'none', parts: [two] }] };
    expect(query({ filter: { match: 'all', parts: [two, group] } }).filter).toEqual({
      and: [
        { attribute: 'id', op: 'eq', value: '2' },
        {
          or: [
            { attribute: 'id', op: 'eq', value: '1' },
            { not: { attribute: 'id', op: 'eq', value: '2' } },
          ],
        },
      ],
    });
  });

  it('searches every text attribute, beside its conditions', () => {
    const found = { attribute: 'name', op: 'icontains', value: 'bern' };
    const large: Condition = { attribute: 'population', operator: 'gte', operands: ['5'] };
    const leaf = { attribute: 'population', op: 'gte', value: 5 };
    expect(query({ search: 'bern' }).filter).toEqual(found);
    expect(query({ search: 'bern', filter: allOf(large) }).filter).toEqual({ and: [leaf, found] });
    expect(query({ search: 'bern', filter: { match: 'none', parts: [large] } }).filter).toEqual({
      and: [{ not: leaf }, found],
    });
  });

  it('has the key too where each record has to be named', () => {
    expect(withKeys(query({ attributes: ['name'] }), CITIES).attributes).toEqual(['name', 'id']);
  });

  it('has the keys of the records that its columns along references are of', () => {
    const references = [{ name: 'twin', attributes: ['area'], model: 'cities', key: ['id'] }];
    const model = { ...CITIES, references, others: [{ ...CITIES, references }] };
    const attributes = ['twin.twin.name', 'twin.nothing'];
    expect(withKeys(query({ attributes }), model).attributes).toEqual([
      ...attributes,
      'id',
      'twin.twin.id',
    ]);
  });
});
