import type { HeaderName } from './headers.ts';
import { IF_NONE_MATCH, notModified, operation, type OperationParts, reply } from './operations.ts';
import {
  DATA_AT_LEAST,
  HELD_HEADERS,
  OF_EXPORTS,
  OF_FACETS,
  readProblems,
  REPLY_HEADERS,
} from './read-operations.ts';
import { schemaRef } from './schemas.ts';

const REQUESTS = {
  page: {
    summary: 'The third page of ten',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      page: { page: 3, size: 10 },
    },
  },
  filtered: {
    summary: 'Cities of more than a million, the largest first',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      page: { page: 1, size: 10 },
      query_filter: {
        and: [
          { attribute: 'population', op: 'gt', value: '1000000' },
          { not: { attribute: 'name', op: 'starts_with', value: 'New' } },
        ],
      },
      query_sort: [
        { attribute: 'population', direction: 'desc', nulls: 'last' },
        { attribute: 'name' },
      ],
    },
  },
  containing: {
    summary: 'The page that holds one city, in the order of the population',
    value: {
      query_model: 'cities',
      query_attributes: ['id', 'name', 'population'],
      page: { containing: { id: '17' }, size: 10 },
      query_sort: [{ attribute: 'population', direction: 'desc' }],
    },
  },
  uncounted: {
    summary: 'The first page of a list that is too long to count',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      page: { page: 1, size: 10 },
      query_total: 'none',
    },
  },
};

const REPLIES = {
  page: {
    summary: 'A page with more behind it',
    value: {
      result: [
        { name: 'Akita', population: '320069' },
        { name: 'Alicante', population: null },
      ],
      page: { page: '3', size: '2', total: '42', has_next: true },
    },
  },
  past_the_end: {
    summary: 'A page past the end',
    value: { result: [], page: { page: '9', size: '10', total: '42', has_next: false } },
  },
  uncounted: {
    summary: 'A page whose total was not asked for',
    value: {
      result: [{ name: 'Akita', population: '320069' }],
      page: { page: '1', size: '1', total: null, has_next: true },
    },
  },
  counted_to_a_limit: {
    summary: 'A page of a list with more than 10,000 records, which was counted up to them',
    value: {
      result: [{ name: 'Akita', population: '320069' }],
      page: {
        page: '1',
        size: '1',
        total: null,
        total_at_least: '10001',
        has_next: true,
      },
    },
  },
};

/** What POST and QUERY have in common. */
const COMMON = {
  tag: 'Query',
  access: 'token',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('QueryRequest'), examples: REQUESTS } },
  },
  problems: readProblems(OF_EXPORTS, OF_FACETS),
} satisfies Partial<OperationParts>;

/** `POST /api/v1/dynamic/query` */
export const POST_OPERATION = operation({
  ...COMMON,
  operationId: 'query',
  summary: 'Ask for one page of a model',
  description:
    'Answers the records of one page with the exact total, ' +
    'both from one snapshot of the data. Repeating a query is safe: it only reads.',
  parameters: [DATA_AT_LEAST],
  replies: { 200: page(REPLY_HEADERS) },
});

/** `QUERY /api/v1/dynamic/query`, which OpenAPI knows since 3.2. */
export const QUERY_OPERATION = operation({
  ...COMMON,
  operationId: 'queryAgain',
  summary: 'Ask for one page of a model, unless the caller holds it',
  description:
    'The same as by POST, by the method QUERY (RFC 10008). The reply has a strong `ETag`; ' +
    'a caller who sends it in `If-None-Match` gets 304 without a body while the page is the same.',
  parameters: [DATA_AT_LEAST, IF_NONE_MATCH],
  replies: { 200: page([...REPLY_HEADERS, 'ETag', 'Vary']), 304: notModified(HELD_HEADERS) },
});

function page(headers: readonly HeaderName[]): object {
  const content = { schema: schemaRef('QueryReply'), examples: REPLIES };
  return reply('The page.', { 'application/json': content }, headers);
}
