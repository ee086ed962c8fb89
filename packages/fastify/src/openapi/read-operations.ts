import { API_PATHS, EXPORT_FORMATS, type ProblemCode, PROBLEMS, WATCH_TYPE } from '@proj/contract';

import { json, operation, type OperationParts, type Operations, parameter } from './operation.ts';
import { type Schema, schemaRef } from './schema.ts';

type ReadName = Exclude<keyof typeof API_PATHS, 'models'>;

interface Read extends Pick<OperationParts, 'content' | 'headers' | 'unchanged' | 'description'> {
  /** What is asked for. */
  readonly what: string;
  /** The component that describes the body. */
  readonly body: string;
  /** Its `example`, or `examples`. */
  readonly shown: Schema;
  readonly parameters?: readonly Schema[];
}

const OF_ALL = ['Accept-Query', 'Catalogue-Tag', 'Deprecation', 'Sunset'] as const;
const OF_STATES = ['Data-Age', 'Data-Position', 'Data-State'] as const;

const DATA_AT_LEAST = parameter(
  'Data-At-Least',
  'A position that the reply has to include: the `Data-Position` of an earlier reply, or that of ' +
    'a write of the caller, as PostgreSQL (LSN) or MariaDB (GTIDs) names it. Ignored where only ' +
    'the primary answers the token, which includes all of them.',
  '0/16B3748@1.mK3xQ0bT',
);

const PAGED = {
  headers: ['Server-Timing', 'Data-Version', ...OF_STATES, ...OF_ALL],
  unchanged: [...OF_STATES, 'Deprecation', 'Sunset'],
  parameters: [DATA_AT_LEAST],
} as const;

const EXPORTED = {
  [EXPORT_FORMATS.jsonl.type]: text(
    'One record a line, as in `result` of a page (https://jsonlines.org).',
    '{"name":"Tokyo","population":"8336599"}\n{"name":"Nauru","population":null}\n',
  ),
  [EXPORT_FORMATS.csv.type]: text(
    'A line with the names of the attributes, then one for each record (RFC 4180). NULL is an ' +
      'empty field, the empty text is `""`; arrays and objects are JSON.',
    'name,population\r\nTokyo,8336599\r\nNauru,\r\n',
  ),
  [EXPORT_FORMATS.parquet.type]: text(
    'A Parquet file with a column of its type for each attribute. Its footer comes last.',
  ),
};

const EVENTS = text(
  'Server-sent events. Those named `list` have `total`, `total_at_least` where `query_total` ' +
    'asks for less, and `version` where the token sees `Data-Version`; where the list has none, ' +
    '`checked_every_ms` says how often it is read. The last may be named `problem`.',
  'id: rX0gq9Tn5cZ8mJ2wQv7LkA\nevent: list\ndata: {"total":"566","version":"g7Qx2mW0"}\n\n',
);

const CITIES = { query_model: 'cities', query_attributes: ['name', 'population'] };
const OVER_A_MILLION = { attribute: 'population', op: 'gt', value: '1000000' };
const LARGEST_FIRST = [{ attribute: 'population', direction: 'desc', nulls: 'last' }];

const QUERIES = {
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
};

const PAGE = {
  result: [
    { name: 'Akita', population: '320069' },
    { name: 'Alicante', population: null },
  ],
  page: { page: '3', size: '2', total: '42', has_next: true },
};

const BY_COUNTRY = { attribute: 'country_code', values: 20, sort: 'count' };
const IN_BINS = { attribute: 'population', bins: 10 };

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

const FACETS = { facets: [COUNTRIES, POPULATIONS], total: '135233' };

const READS: Readonly<Record<ReadName, Read>> = {
  query: {
    ...PAGED,
    what: 'one page of a model',
    description: 'The records of one page with the exact total, both from one snapshot.',
    body: 'QueryRequest',
    shown: { examples: QUERIES },
    content: json({ schema: schemaRef('QueryReply'), example: PAGE }),
  },
  export: {
    what: 'a whole list of a model, as a file',
    description:
      'All records of a list in its order, from one snapshot, as `Accept` says. A reply that ' +
      'cannot be finished ends without its last chunk; `Export-Total` shows it too. After ' +
      '`TE: trailers` the trailer `Export-Count` says how many came.',
    body: 'ExportRequest',
    shown: { example: { ...CITIES, query_filter: OVER_A_MILLION } },
    content: EXPORTED,
    headers: ['Export-Total', 'Server-Timing', 'Data-Version', 'Data-State', ...OF_ALL],
  },
  facets: {
    ...PAGED,
    what: 'what the attributes of a list hold',
    description:
      'How often attributes have which value, or how their values are distributed, all from one ' +
      'snapshot. Every number is exact.',
    body: 'FacetsRequest',
    shown: { example: { query_model: 'cities', query_facets: [BY_COUNTRY, IN_BINS] } },
    content: json({ schema: schemaRef('FacetsReply'), example: FACETS }),
  },
  watch: {
    what: 'events when a list changes',
    description:
      'An event named `list` at once, and another one whenever the list has changed, until the ' +
      'caller disconnects, or one named `problem` says why there are no more.',
    body: 'WatchRequest',
    shown: { example: { ...CITIES, query_filter: OVER_A_MILLION, watch_every_ms: 500 } },
    parameters: [
      parameter(
        'Last-Event-ID',
        'The `id` of the last event that the caller has; while the list is the same, the first ' +
          'event is left out.',
        'rX0gq9Tn5cZ8mJ2wQv7LkA',
      ),
    ],
    content: { [WATCH_TYPE]: EVENTS },
    headers: OF_ALL,
  },
};

/** Codes that not all of them have. */
const OF_SOME: readonly (readonly [reads: readonly ReadName[], codes: readonly ProblemCode[]])[] = [
  [['query'], ['size_too_large', 'no_visible_key', 'record_not_in_list']],
  [
    ['query', 'export', 'watch'],
    [
      'no_attributes',
      'too_many_attributes',
      'too_many_sort_terms',
      'not_sortable',
      'invalid_groups',
      'too_many_groups',
    ],
  ],
  [
    ['query', 'facets'],
    ['reply_too_large', 'invalid_position'],
  ],
  [['query', 'watch'], ['invalid_query_total']],
  [['query', 'facets', 'watch'], ['out_of_range']],
  [['export'], ['invalid_export_csv', 'http_version_too_old']],
  [['facets'], ['no_facets', 'too_many_facets', 'invalid_facet', 'not_facetable']],
];

/** Of other paths. */
const ELSEWHERE: readonly string[] = [
  'not_found',
  'uri_too_long',
  'origin_refused',
  'sign_in_refused',
];

/** By path. OpenAPI knows the method QUERY since 3.2. */
export const READ_OPERATIONS: Operations = Object.fromEntries(
  (['query', 'export', 'facets', 'watch'] as const).map((name) => [
    `/${API_PATHS[name]}`,
    readOperations(name, READS[name]),
  ]),
);

function readOperations(
  name: ReadName,
  { what, body, shown, unchanged, headers = [], ...read }: Read,
) {
  const content = { schema: schemaRef(body), ...shown };
  const common = {
    ...read,
    tag: 'Query',
    requestBody: { required: true, content: json(content) },
    problems: readProblems(name),
  } as const;
  const same = 'The same as by POST, by the method QUERY (RFC 10008).';
  const unless = ' With `If-None-Match` it is 304 while the reply would be the same.';
  return {
    post: operation({ ...common, headers, operationId: name, summary: `Ask for ${what}` }),
    query: operation({
      ...common,
      headers: [...headers, 'Vary'],
      unchanged: unchanged && ['Vary', ...unchanged],
      operationId: `${name}Again`,
      summary: `Ask for ${what}, by the method QUERY`,
      description: unchanged === undefined ? same : same + unless,
    }),
  };
}

function example(summary: string, value: object): Schema {
  return { summary, value };
}

function text(description: string, sample?: string): Schema {
  return { schema: { type: 'string', description }, example: sample };
}

function readProblems(read: ReadName): ProblemCode[] {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const isOfRead = (code: ProblemCode): boolean =>
    OF_SOME.every(([reads, some]) => reads.includes(read) || !some.includes(code));
  return codes.filter((code) => !ELSEWHERE.includes(code) && isOfRead(code));
}
