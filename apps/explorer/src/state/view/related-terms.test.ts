import type { ModelEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { attributeOf, CITIES } from '../cities-model.test-data.ts';
import { allOf } from '../filter/filter-tree.ts';
import { FIRST_VIEW, type ViewState } from '../view-state.ts';
import {
  relatedTerms,
  withoutRelatedTerm,
  withRelatedFilter,
  withRelatedTerm,
} from './related-terms.ts';
import { requestedRelated, viewQuery } from './view-query.ts';

const COUNT = { operation: 'count', attribute: null } as const;

const view: ViewState = { ...FIRST_VIEW, model: 'cities', attributes: ['name'] };

const counted = (inverse: string): ViewState => ({
  ...view,
  ...withRelatedTerm(view, CITIES, { related: inverse, ...COUNT }),
});

it('adds a column that is named by what is counted', () => {
  const { related, attributes } = counted('visits');
  expect(related).toEqual([{ name: 'visits_count', related: 'visits', ...COUNT, filter: allOf() }]);
  expect(attributes).toEqual(['name', 'visits_count']);
  expect(viewQuery(counted('visits'), CITIES)).toMatchObject({
    attributes: ['name', 'visits_count'],
    related: { visits_count: { related: 'visits', op: 'count' } },
  });
  expect(requestedRelated(view, CITIES)).toEqual({});
});

it('gives names that the service takes, and that no other column has', () => {
  const [first] = counted('2 odd.names').related;
  expect(first?.name).toBe('_2_odd_names_count');
  const again = withRelatedTerm(counted('2 odd.names'), CITIES, {
    related: '2_odd_names',
    ...COUNT,
  });
  expect(again.related?.[1]?.name).toBe('_2_odd_names_count_2');
});

it('takes a column away with what is sorted, filtered and grouped by it', () => {
  const condition = { attribute: 'visits_count', operator: 'gt', operands: ['3'] } as const;
  const other = { attribute: 'name', operator: 'eq', operands: ['Bern'] } as const;
  const used: ViewState = {
    ...counted('visits'),
    filter: allOf(condition, other),
    sort: [{ attribute: 'visits_count', direction: 'desc' }],
    group: {
      by: [{ attribute: 'visits_count', unit: null }],
      compute: [COUNT],
      filter: FIRST_VIEW.filter,
      sort: [],
      picture: null,
    },
  };
  const [term] = relatedTerms(used, 'visits', COUNT);
  expect(relatedTerms(used, 'visits', { operation: 'max', attribute: 'at' })).toEqual([]);
  if (term === undefined) throw new Error('It is there.');
  expect({ ...used, ...withoutRelatedTerm(used, term) }).toEqual({ ...view, filter: allOf(other) });
});

it('counts the related records that meet a filter, compared by the types of their model', () => {
  const visits: ModelEntry = {
    ...CITIES,
    name: 'visits',
    attributes: [attributeOf('hours', 'int64'), attributeOf('at', 'timestamp_tz')],
    references: [{ attributes: ['city'], model: 'cities', key: ['id'], inverse: 'visits' }],
  };
  const cities = { ...CITIES, others: [CITIES, visits] };
  const all: ViewState = { ...counted('visits'), zone: 'Europe/Paris' };
  const [term] = relatedTerms(all, 'visits', COUNT);
  if (term === undefined) throw new Error('It is there.');
  const filter = allOf(
    { attribute: 'hours', operator: 'gte', operands: ['3'] },
    { attribute: 'at', operator: 'on', operands: ['2024-03-31'] },
  );
  expect(requestedRelated({ ...all, ...withRelatedFilter(all, term, filter) }, cities)).toEqual({
    related: {
      visits_count: {
        related: 'visits',
        op: 'count',
        filter: {
          and: [
            { attribute: 'hours', op: 'gte', value: '3' },
            { attribute: 'at', op: 'on', value: '2024-03-31', time_zone: 'Europe/Paris' },
          ],
        },
      },
    },
  });
});
