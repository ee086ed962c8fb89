import {
  OF_EXPORTS,
  OF_FACETS,
  readOperations,
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
  grouped: {
    summary: 'How many people live in all cities of one name, where they are more than a million',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'people'],
      page: { page: 1, size: 10 },
      query_groups: ['name'],
      query_aggregates: [{ name: 'people', op: 'sum', attribute: 'population' }],
      query_group_filter: { attribute: 'people', op: 'gt', value: '1000000' },
      query_sort: [{ attribute: 'people', direction: 'desc' }],
    },
  },
  counted: {
    summary: 'The customers with the most invoices, and when the last one was',
    value: {
      query_model: 'customers',
      query_attributes: ['name', 'invoices_count', 'last_invoice'],
      page: { page: 1, size: 10 },
      query_related: [
        { name: 'invoices_count', related: 'invoices', op: 'count' },
        { name: 'last_invoice', related: 'invoices', op: 'max', attribute: 'issued_at' },
      ],
      query_sort: [{ attribute: 'invoices_count', direction: 'desc' }],
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

/** `POST` and `QUERY` of `/api/v1/dynamic/query`. */
export const QUERY_OPERATIONS = readOperations({
  operationId: 'query',
  summaries: {
    post: 'Ask for one page of a model',
    query: 'Ask for one page of a model, unless the caller holds it',
  },
  description:
    'Answers the records of one page with the exact total, ' +
    'both from one snapshot of the data. Repeating a query is safe: it only reads.',
  request: { schema: schemaRef('QueryRequest'), examples: REQUESTS },
  reply: {
    description: 'The page.',
    headers: REPLY_HEADERS,
    content: { 'application/json': { schema: schemaRef('QueryReply'), examples: REPLIES } },
  },
  tagged: 'the page is',
  problems: readProblems(OF_EXPORTS, OF_FACETS),
});
