import type { RequestErrorCode } from '@proj/contract';

/**
 * The cities of the document's examples, with one attribute that has no order, and notes on them;
 * and parts, which lead to more others than one request may look at.
 */
export const EXAMPLE_SQL = `
  create table cities (id integer primary key, name text not null, population integer, tags text,
    founded date);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 42)
  insert into cities (id, name, population, tags) select i, 'city ' || i, i * 1000, '[]' from n;
  create table parts (
    id integer primary key, a_id integer references parts (id), b_id integer references parts (id)
  );
  create table notes (
    id integer primary key, city_id integer references cities (id), tags text
  );`;

export const EXAMPLE_SETTINGS = {
  models: {
    cities: { attributes: { tags: { type: 'json' } } },
    notes: { attributes: { tags: { type: 'json' } } },
  },
} as const;

/** The first request of the document's examples, with members replaced. */
export function exampleQuery(members: object = {}): object {
  return {
    query_model: 'cities',
    query_attributes: ['name', 'population'],
    page: { page: 3, size: 10 },
    ...members,
  };
}

/** The first request for facets of the document's examples, with members replaced. */
export function exampleFacets(members: object = {}): object {
  return {
    query_model: 'cities',
    query_facets: [
      { attribute: 'name', values: 20, sort: 'count' },
      { attribute: 'population', bins: 10 },
    ],
    ...members,
  };
}

function exampleFacet(members: object): object {
  return exampleFacets({ query_facets: [{ attribute: 'population', ...members }] });
}

/** Paths along more relations than one request may look along. */
const MANY_PATHS = ['a', 'a.a', 'a.b', 'a.a.a', 'a.a.b', 'b', 'b.a', 'b.b', 'b.b.b'].map(
  (path) => `${path}.id`,
);

type FacetErrorCode = 'no_facets' | 'too_many_facets' | 'invalid_facet' | 'not_facetable';

/** A request for facets for each error that such requests alone have. */
export const WRONG_FACETS: Readonly<Record<FacetErrorCode, object>> = {
  no_facets: exampleFacets({ query_facets: [] }),
  too_many_facets: exampleFacets({
    query_facets: Array.from({ length: 21 }, () => ({ attribute: 'name', values: 1 })),
  }),
  invalid_facet: exampleFacet({ values: 3, bins: 3 }),
  not_facetable: exampleFacets({ query_facets: [{ attribute: 'tags', values: 3 }] }),
};

const ON_A_DAY = { attribute: 'founded', op: 'on', value: '2026-01-31' };
const IN_NO_ZONE = { ...ON_A_DAY, time_zone: 'Europe/Pariss' };
const OF_NO_ZONE = { ...ON_A_DAY, time_zone: 'Europe/Paris' };

const POPULATION = { attribute: 'population', op: 'eq', value: 1 };

/** A request for facets for each error that a query may have too. */
export const WRONG_FACETS_OF_ANY_KIND: readonly object[] = [
  exampleFacets({ query_facets: {} }),
  exampleFacet({ bins: 0 }),
  exampleFacet({ bins: 3, step: 2 }),
  exampleFacets({ query_model: 'citys' }),
  exampleFacets({ query_model: 'cities\0' }),
  exampleFacets({ query_model: undefined }),
  exampleFacets({ query_facets: [{ attribute: 'nane', values: 3 }] }),
  exampleFacet({ bins: 3, query_filter: { and: [] } }),
  exampleFacet({
    bins: 3,
    query_filter: { ...POPULATION, op: 'in', value: Array(1001).fill('1') },
  }),
  exampleFacet({ bins: 3, query_filter: { ...POPULATION, op: 'like' } }),
  exampleFacet({ bins: 3, query_filter: { ...POPULATION, op: 'contains' } }),
  exampleFacet({ bins: 3, query_filter: { ...POPULATION, value: 'many' } }),
  exampleFacet({ bins: 3, query_filter: IN_NO_ZONE }),
  exampleFacet({ bins: 3, query_filter: OF_NO_ZONE }),
  exampleFacets({ query_model: 'citys', query_facets: [] }),
  exampleFacets({ query_related: [{ name: '1st', related: 'parts', op: 'count' }] }),
  exampleFacets({ query_related: [{ name: 'name', related: 'parts', op: 'count' }] }),
  exampleFacets({
    query_related: [{ name: 'n', related: 'notes', op: 'max', attribute: 'tags' }],
  }),
  exampleFacets({
    query_model: 'parts',
    query_facets: MANY_PATHS.map((attribute) => ({ attribute, values: 1 })),
  }),
];

/** Errors that take other settings than those of the examples, or another path. */
type OtherSettings = 'reply_too_large' | 'no_visible_key' | 'invalid_export_csv' | FacetErrorCode;

/** A request for each error, which has no other. */
export const WRONG_QUERIES: Readonly<Record<Exclude<RequestErrorCode, OtherSettings>, object>> = {
  invalid_type: exampleQuery({ page: { page: '3', size: 10 } }),
  missing_member: exampleQuery({ page: { page: 3 } }),
  unknown_member: exampleQuery({ limit: 10 }),
  out_of_range: exampleQuery({ page: { page: 0, size: 10 } }),
  size_too_large: exampleQuery({ page: { page: 1, size: 5000 } }),
  invalid_text: exampleQuery({ query_model: 'cities\0' }),
  no_attributes: exampleQuery({ query_attributes: [] }),
  too_many_attributes: exampleQuery({
    query_attributes: Array.from({ length: 201 }, (_, index) => `a${index}`),
  }),
  duplicate_attribute: exampleQuery({ query_attributes: ['name', 'name'] }),
  invalid_filter: exampleQuery({ query_filter: { and: [] } }),
  filter_too_large: exampleQuery({
    query_filter: { attribute: 'id', op: 'in', value: Array(1001).fill('1') },
  }),
  unknown_operator: exampleQuery({ query_filter: { attribute: 'name', op: 'like', value: 'A' } }),
  operator_not_applicable: exampleQuery({
    query_filter: { attribute: 'population', op: 'contains', value: '1' },
  }),
  unknown_time_zone: exampleQuery({ query_filter: IN_NO_ZONE }),
  time_zone_not_applicable: exampleQuery({ query_filter: OF_NO_ZONE }),
  invalid_value: exampleQuery({ query_sort: [{ attribute: 'name', direction: 'up' }] }),
  too_many_sort_terms: exampleQuery({
    query_sort: ['a', 'b', 'c', 'd', 'e', 'f'].map((attribute) => ({ attribute })),
  }),
  too_many_relations: exampleQuery({ query_model: 'parts', query_attributes: MANY_PATHS }),
  invalid_related: exampleQuery({
    query_related: [{ name: '1st', related: 'parts', op: 'count' }],
  }),
  invalid_groups: exampleQuery({ query_groups: [] }),
  too_many_groups: exampleQuery({ query_groups: ['a', 'b', 'c', 'd', 'e', 'f'] }),
  not_groupable: exampleQuery({ query_attributes: ['tags'], query_groups: ['tags'] }),
  not_sortable: exampleQuery({ query_sort: [{ attribute: 'tags' }] }),
  invalid_query_total: exampleQuery({ query_total: { up_to: 0 } }),
  record_not_in_list: exampleQuery({ page: { containing: { id: '43' }, size: 10 } }),
  unknown_model: exampleQuery({ query_model: 'citys' }),
  unknown_attribute: exampleQuery({ query_attributes: ['nane'] }),
};

/** A request with errors of two kinds. */
export const FAULTS_OF_TWO_KINDS = exampleQuery({
  query_attributes: ['nane'],
  page: { page: 0, size: 10 },
});
