import { OPERATORS } from '@proj/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { allOf } from '../filter/filter-tree.ts';
import {
  type Condition,
  type ConditionOperator,
  type FilterNode,
  FIRST_VIEW,
  MATCHES,
  type SortTerm,
  type ViewState,
} from '../view-state.ts';
import { choosesRecords, viewFromSearch, viewToSearch } from './view-url.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const awkward = fc.oneof(
  name,
  fc.constantFrom(
    'a:nulls-first',
    '\\:nulls-last',
    'a:nulls-first:nulls-last',
    '-a',
    'a.b',
    'a,b',
    '\\',
    '\\-',
    '.',
    ',',
    '&=?#',
    ' ',
    '%2C',
    '+',
    'any(',
    ';',
    ')',
    'all()',
    ':nulls-last',
  ),
);
const operator: fc.Arbitrary<ConditionOperator> = fc.constantFrom(
  ...(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]),
  'not_null' as const,
);
/** As the filter panel has it: an operator with one value has one, and without a value none. */
const condition: fc.Arbitrary<Condition> = operator.chain((chosen) => {
  const kind = chosen === 'not_null' ? 'truth' : OPERATORS[chosen].operand;
  const isMany = kind === 'list' || kind === 'pair';
  const [minLength, maxLength] = isMany ? [0, 4] : kind === 'truth' ? [0, 0] : [1, 1];
  return fc.record({
    attribute: awkward,
    operator: fc.constant(chosen),
    operands: fc.array(fc.oneof(awkward, fc.constant('')), { minLength, maxLength }),
  });
});
const sortTerm: fc.Arbitrary<SortTerm> = fc.record(
  {
    attribute: awkward,
    direction: fc.constantFrom('asc', 'desc'),
    nulls: fc.constantFrom('first', 'last'),
  },
  { requiredKeys: ['attribute', 'direction'] },
);
const match = fc.constantFrom(...MATCHES);
const { part } = fc.letrec<{ readonly part: FilterNode }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ match, parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
  ),
}));
const anyView: fc.Arbitrary<ViewState> = fc.record({
  model: fc.option(awkward, { nil: null }),
  attributes: fc.option(fc.array(awkward, { maxLength: 5 }), { nil: null }),
  filter: fc.record({ match, parts: fc.array(part, { maxLength: 4 }) }),
  related: fc.array(
    fc.record({
      name: awkward,
      related: awkward,
      operation: fc.constantFrom('count', 'max'),
      attribute: fc.option(awkward, { nil: null }),
      filter: fc.oneof(
        fc.constant(FIRST_VIEW.filter),
        fc.record({ match, parts: fc.array(part, { minLength: 1, maxLength: 2 }) }),
      ),
    }),
    { maxLength: 5 },
  ),
  zone: fc.constantFrom(null, 'Europe/Paris', 'Etc/GMT+5'),
  sort: fc.array(sortTerm, { maxLength: 3 }),
  page: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  size: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  search: fc.oneof(awkward, fc.constant('')),
  record: fc.option(fc.array(fc.oneof(awkward, fc.constant('')), { minLength: 1, maxLength: 3 }), {
    nil: null,
  }),
  seeks: fc.boolean(),
  group: fc.option(
    fc.record({
      by: fc.array(
        fc.record({
          attribute: awkward,
          unit: fc.option(fc.constantFrom('month', 'week'), { nil: null }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      compute: fc.array(
        fc.oneof(
          fc.constant({ operation: 'count', attribute: null } as const),
          fc.record({ operation: fc.constantFrom('sum', 'min'), attribute: awkward }),
        ),
        { minLength: 1, maxLength: 10 },
      ),
      filter: fc.record({ match, parts: fc.array(part, { maxLength: 2 }) }),
      sort: fc.array(sortTerm, { maxLength: 2 }),
      picture: fc.option(awkward, { nil: null }),
    }),
    { nil: null },
  ),
});
/** Only with a record is a page to be found, and none is named then. */
const view = anyView.map((state) => {
  const seeks = state.seeks && state.record !== null;
  return { ...state, seeks, page: seeks ? 1 : state.page };
});

describe('the address of a view', () => {
  it('reads back as the same view, whatever the names and values are', () => {
    fc.assert(
      fc.property(view, (state) => {
        expect(viewFromSearch(viewToSearch(state))).toEqual({ view: state, unreadable: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('survives being taken apart by a URL', () => {
    fc.assert(
      fc.property(view, (state) => {
        const { search } = new URL(`https://data.example.com/?${viewToSearch(state)}`);
        expect(viewFromSearch(search).view).toEqual(state);
      }),
    );
  });

  it('can be read by people', () => {
    const visits = { related: 'visits', filter: FIRST_VIEW.filter };
    const long = { attribute: 'hours', operator: 'in', operands: ['3', '4'] } as const;
    const state: ViewState = {
      model: 'cities',
      attributes: ['name', 'population'],
      related: [
        { ...visits, name: 'visits_count', operation: 'count', attribute: null },
        { ...visits, name: 'last', operation: 'max', attribute: 'at' },
        { ...visits, name: 'long', operation: 'count', attribute: null, filter: allOf(long) },
      ],
      filter: {
        match: 'all',
        parts: [
          { attribute: 'population', operator: 'gte', operands: ['1000000'] },
          { attribute: 'country_code', operator: 'in', operands: ['CH', 'LI'] },
          {
            match: 'any',
            parts: [
              { attribute: 'admin1_code', operator: 'not_null', operands: [] },
              { attribute: 'name', operator: 'eq', operands: ['Bern'] },
            ],
          },
        ],
      },
      search: 'new york',
      zone: 'Europe/Paris',
      sort: [
        { attribute: 'population', direction: 'desc', nulls: 'last' },
        { attribute: 'name', direction: 'asc' },
      ],
      page: 3,
      size: 20,
      record: ['CH', '4711'],
      seeks: false,
      group: {
        by: [
          { attribute: 'country.name', unit: null },
          { attribute: 'founded', unit: 'year' },
        ],
        compute: [
          { operation: 'sum', attribute: 'population' },
          { operation: 'count', attribute: null },
        ],
        filter: {
          match: 'any',
          parts: [{ attribute: 'count', operator: 'gt', operands: ['1'] }],
        },
        sort: [{ attribute: 'count', direction: 'desc' }],
        picture: 'count',
      },
    };
    expect(viewToSearch(state)).toBe(
      'model=cities&attributes=name,population&related=visits_count:visits:count,' +
        'last:visits:max:at,long:visits:count::hours.in.3%5C,4&where=population.gte.1000000' +
        '&where=country_code.in.CH,LI&where=any(admin1_code.not_null%3Bname.eq.Bern)' +
        '&search=new+york&zone=Europe%2FParis&sort=-population:nulls-last,name' +
        '&group=country.name,founded:year&compute=sum:population,count&having=count.gt.1' +
        '&having_match=any&group_sort=-count&picture=count&page=3&size=20&record=CH,4711',
    );
  });

  it('is empty for a first view', () => {
    expect(viewToSearch(FIRST_VIEW)).toBe('');
    expect(viewFromSearch('')).toEqual({ view: FIRST_VIEW, unreadable: [] });
  });

  it.each([
    'page=0',
    'page=1e3',
    'page=9007199254740992',
    'size=ten',
    'group=',
    'group=a:fortnight',
    'group=a:day@',
    'zone=',
    'related=',
    'related=a:b',
    'related=a:b:mode',
    'related=a:b:count:',
    'related=a:b:max:c:d',
    'related=a:b:count::c.eq.1:d.eq.2',
    'group=a,b,c,d,e,f',
    'group=a,',
    'compute=sum:a',
    'having=count.gt.1',
    'having_match=any',
    'group_sort=a',
    'picture=a',
    'match=some',
    'sort=',
    'where=a',
    'where=a.like.b',
    'where=a.eq',
    'where=a.eq.b,c',
    'where=a.is_null.false',
    'where=any()',
    'where=any(a.eq.1',
    'where=none(a.eq.1;b)',
  ])('names what of it cannot be read: %s', (search) => {
    const [member, text] = search.split(/=(.*)/s, 2);
    expect(viewFromSearch(search)).toEqual({
      view: FIRST_VIEW,
      unreadable: [{ name: member, text, place: 0, why: 'unreadable' }],
    });
  });

  it('names what no view has, and what it has twice, in the order of the address', () => {
    const { view: read, unreadable } = viewFromSearch('page=2&colums=a&where=b&page=3');
    expect(read).toEqual({ ...FIRST_VIEW, page: 2 });
    expect(unreadable).toEqual([
      { name: 'colums', text: 'a', place: 1, why: 'unknown' },
      { name: 'where', text: 'b', place: 2, why: 'unreadable' },
      { name: 'page', text: '3', place: 3, why: 'repeated' },
    ]);
  });

  it('without a filter, a match or a search chooses other records', () => {
    const lost = 'where=a&match=b&search=c&search=d&page=e&size=f&sort=&record=g&record=h&other=i';
    expect(
      viewFromSearch(lost)
        .unreadable.filter(choosesRecords)
        .map((entry) => entry.name),
    ).toEqual(['where', 'match', 'search']);
  });
});
