import { EXPORT_FORMATS, type ExportType, type ProblemCode } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import { OF_FACETS, readOperations, readProblems } from './read-operations.ts';
import { schemaRef } from './schemas.ts';

const REQUESTS = {
  list: {
    summary: 'All cities of more than a million, the largest first',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      query_filter: { attribute: 'population', op: 'gt', value: '1000000' },
      query_sort: [{ attribute: 'population', direction: 'desc' }],
    },
  },
  csv: {
    summary: 'All cities, as CSV for a spreadsheet',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      export_csv: { guard_formulas: true },
    },
  },
};

/** Codes of a page, or of a total that is not counted whole. */
const OF_A_PAGE: ReadonlySet<ProblemCode> = new Set([
  'out_of_range',
  'size_too_large',
  'no_visible_key',
  'record_not_in_list',
  'reply_too_large',
  'invalid_query_total',
  'invalid_position',
]);

const REPLY_HEADERS: readonly HeaderName[] = [
  'Accept-Query',
  'Export-Total',
  'Server-Timing',
  'Data-Version',
  'Data-State',
  'Catalogue-Tag',
  'Deprecation',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
];

const FORMS: Readonly<
  Record<ExportType, { readonly description: string; readonly example?: string }>
> = {
  [EXPORT_FORMATS.jsonl.type]: {
    description: 'One record a line, as JSON: as in `result` of a page (https://jsonlines.org).',
    example: '{"name":"Tokyo","population":"8336599"}\n{"name":"Nauru","population":null}\n',
  },
  [EXPORT_FORMATS.csv.type]: {
    description:
      'A line with the names of the attributes, then one for each record (RFC 4180). ' +
      'NULL is an empty field, the empty text is `""`; arrays and objects are JSON.',
    example: 'name,population\r\nTokyo,8336599\r\nNauru,\r\n',
  },
  [EXPORT_FORMATS.parquet.type]: {
    description:
      'A Parquet file with a column for each attribute, of its type. The file can be read only ' +
      'where all records have come, since its footer comes last.',
  },
};

/** `POST` and `QUERY` of `/api/v1/dynamic/export`. */
export const EXPORT_OPERATIONS = readOperations({
  operationId: 'export',
  summaries: {
    post: 'Ask for a whole list of a model, as a file',
    query: 'Ask for a whole list of a model by the method QUERY',
  },
  description:
    'Answers all records of a list in its order, from one snapshot of the data, as `Accept` ' +
    'says. A reply that cannot be finished ends without its last chunk: hold the records against ' +
    '`Export-Total` where your client hides that. After `TE: trailers` the trailer ' +
    '`Export-Count` says how many came.',
  request: { schema: schemaRef('ExportRequest'), examples: REQUESTS },
  reply: {
    description: 'The whole list.',
    headers: REPLY_HEADERS,
    content: Object.fromEntries(
      Object.entries(FORMS).map(([type, { description, ...example }]) => [
        type,
        { schema: { type: 'string', description }, ...example },
      ]),
    ),
  },
  problems: [...readProblems(OF_A_PAGE, OF_FACETS), 'http_version_too_old'],
});
