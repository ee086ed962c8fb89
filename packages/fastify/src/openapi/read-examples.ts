interface Example {
  readonly summary: string;
  readonly value: object;
}

function example(summary: string, value: object): Example {
  return { summary, value };
}

const CITIES = { query_model: 'cities', query_attributes: ['name', 'population'] };
const FIRST_PAGE = { page: { page: 1, size: 10 } };
const OVER_A_MILLION = { attribute: 'population', op: 'gt', value: '1000000' };
const LARGEST_FIRST = { attribute: 'population', direction: 'desc' };
const AKITA = { name: 'Akita', population: '320069' };

/** Bodies by operation. */
export const REQUEST_EXAMPLES = {
  query: {
    page: example('The third page of ten', { ...CITIES, page: { page: 3, size: 10 } }),
    filtered: example('Cities of more than a million, the largest first', {
      ...CITIES,
      ...FIRST_PAGE,
      query_filter: {
        and: [OVER_A_MILLION, { not: { attribute: 'name', op: 'starts_with', value: 'New' } }],
      },
      query_sort: [{ ...LARGEST_FIRST, nulls: 'last' }, { attribute: 'name' }],
    }),
    containing: example('The page that holds one city, in the order of the population', {
      query_model: 'cities',
      query_attributes: ['id', 'name', 'population'],
      page: { containing: { id: '17' }, size: 10 },
      query_sort: [LARGEST_FIRST],
    }),
    grouped: example(
      'How many people live in all cities of one name, where they are more than a million',
      {
        query_model: 'cities',
        query_attributes: ['name', 'people'],
        ...FIRST_PAGE,
        query_groups: ['name'],
        query_aggregates: [{ name: 'people', op: 'sum', attribute: 'population' }],
        query_group_filter: { attribute: 'people', op: 'gt', value: '1000000' },
        query_sort: [{ attribute: 'people', direction: 'desc' }],
      },
    ),
    counted: example('The customers with the most invoices, and when the last one was', {
      query_model: 'customers',
      query_attributes: ['name', 'invoices_count', 'last_invoice'],
      ...FIRST_PAGE,
      query_related: [
        { name: 'invoices_count', related: 'invoices', op: 'count' },
        { name: 'last_invoice', related: 'invoices', op: 'max', attribute: 'issued_at' },
      ],
      query_sort: [{ attribute: 'invoices_count', direction: 'desc' }],
    }),
    uncounted: example('The first page of a list that is too long to count', {
      ...CITIES,
      ...FIRST_PAGE,
      query_total: 'none',
    }),
  },
  export: {
    list: example('All cities of more than a million, the largest first', {
      ...CITIES,
      query_filter: OVER_A_MILLION,
      query_sort: [LARGEST_FIRST],
    }),
    csv: example('All cities, as CSV for a spreadsheet', {
      ...CITIES,
      export_csv: { guard_formulas: true },
    }),
  },
  facets: {
    facets: example('The most frequent countries, and the populations in ten bins', {
      query_model: 'cities',
      query_facets: [
        { attribute: 'country_code', values: 20, sort: 'count' },
        { attribute: 'population', bins: 10 },
      ],
    }),
    panel: example('A panel of filters: the chosen country does not take the others away', {
      query_model: 'cities',
      query_filter: { attribute: 'country_code', op: 'eq', value: 'JP' },
      query_facets: [{ attribute: 'country_code', values: 20, query_filter: OVER_A_MILLION }],
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
  values: [
    { value: 'CN', count: '1415' },
    { value: 'JP', count: '814' },
  ],
  distinct: '252',
  nulls: '0',
  min: 'AD',
  max: 'ZW',
};

const POPULATIONS = {
  attribute: 'population',
  bins: [
    { from: '500', to: '12000000', count: '135220' },
    { from: '12000000', to: '24000000', count: '13' },
  ],
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
      result: [AKITA, { name: 'Alicante', population: null }],
      page: { page: '3', size: '2', total: '42', has_next: true },
    }),
    past_the_end: example('A page past the end', {
      result: [],
      page: { page: '9', size: '10', total: '42', has_next: false },
    }),
    uncounted: example('A page whose total was not asked for', {
      result: [AKITA],
      page: { page: '1', size: '1', total: null, has_next: true },
    }),
    counted_to_a_limit: example(
      'A page of a list with more than 10,000 records, which was counted up to them',
      {
        result: [AKITA],
        page: { page: '1', size: '1', total: null, total_at_least: '10001', has_next: true },
      },
    ),
  },
  facets: {
    facets: example('Values, and bins', { facets: [COUNTRIES, POPULATIONS], total: '135233' }),
  },
};
