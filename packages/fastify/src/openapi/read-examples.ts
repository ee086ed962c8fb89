const CITIES = { query_model: 'cities', query_attributes: ['name', 'population'] };
const OVER_A_MILLION = { attribute: 'population', op: 'gt', value: '1000000' };
const LARGEST_FIRST = [{ attribute: 'population', direction: 'desc', nulls: 'last' }];

/** Bodies by operation. */
export const REQUEST_EXAMPLES = {
  query: {
    page: example('The third page of ten', { ...CITIES, page: { page: 3, size: 10 } }),
    filtered: example('Cities of more than a million, the largest first', {
      ...CITIES,
      page: { page: 1, size: 10 },
      query_filter: {
        and: [OVER_A_MILLION, { not: { attribute: 'name', op: 'starts_with', value: 'New' } }],
      },
      query_sort: LARGEST_FIRST,
    }),
    containing: example('The page that holds one city, in the order of the population', {
      ...CITIES,
      page: { containing: { id: '17' }, size: 10 },
      query_sort: LARGEST_FIRST,
    }),
    grouped: example('How many people live in all cities of one name', {
      query_model: 'cities',
      query_attributes: ['name', 'people'],
      page: { page: 1, size: 10 },
      query_groups: ['name'],
      query_aggregates: [{ name: 'people', op: 'sum', attribute: 'population' }],
      query_sort: [{ attribute: 'people', direction: 'desc' }],
    }),
  },
  export: {
    list: example('All cities of more than a million', { ...CITIES, query_filter: OVER_A_MILLION }),
  },
  facets: {
    facets: example('The most frequent countries, and the populations in ten bins', {
      query_model: 'cities',
      query_facets: [
        { attribute: 'country_code', values: 20, sort: 'count' },
        { attribute: 'population', bins: 10 },
      ],
    }),
  },
  watch: {
    list: example('The cities of more than a million, with at most two events a second', {
      ...CITIES,
      query_filter: OVER_A_MILLION,
      watch_every_ms: 500,
    }),
  },
};

const COUNTRIES = {
  attribute: 'country_code',
  values: [{ value: 'CN', count: '1415' }],
  distinct: '252',
  nulls: '0',
  min: 'AD',
  max: 'ZW',
};

const POPULATIONS = {
  attribute: 'population',
  bins: [{ from: '500', to: '24000000', count: '135233' }],
  nulls: '0',
  others: '0',
  min: '500',
  max: '24000000',
  sum: '3720000000',
  average: '27508.0786',
};

export const REPLY_EXAMPLES = {
  query: {
    page: example('A page with more behind it', {
      result: [
        { name: 'Akita', population: '320069' },
        { name: 'Alicante', population: null },
      ],
      page: { page: '3', size: '2', total: '42', has_next: true },
    }),
  },
  facets: {
    facets: example('Values, and bins', { facets: [COUNTRIES, POPULATIONS], total: '135233' }),
  },
};

function example(summary: string, value: object) {
  return { summary, value };
}
