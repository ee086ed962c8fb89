import type { HeaderName } from './headers.ts';
import { IF_NONE_MATCH, notModified, operation, type OperationParts, reply } from './operations.ts';
import {
  DATA_AT_LEAST,
  HELD_HEADERS,
  OF_EXPORTS,
  OF_LISTS,
  readProblems,
  REPLY_HEADERS,
} from './read-operations.ts';
import { schemaRef } from './schemas.ts';

const REQUESTS = {
  facets: {
    summary: 'The most frequent countries, and the populations in ten bins',
    value: {
      query_model: 'cities',
      query_facets: [
        { attribute: 'country_code', values: 20, sort: 'count' },
        { attribute: 'population', bins: 10 },
      ],
    },
  },
  panel: {
    summary: 'A panel of filters: the chosen country does not take the others away',
    value: {
      query_model: 'cities',
      query_filter: { attribute: 'country_code', op: 'eq', value: 'JP' },
      query_facets: [
        {
          attribute: 'country_code',
          values: 20,
          query_filter: { attribute: 'population', op: 'gt', value: '1000000' },
        },
      ],
    },
  },
};

const REPLIES = {
  facets: {
    summary: 'Values, and bins',
    value: {
      facets: [
        {
          attribute: 'country_code',
          values: [
            { value: 'CN', count: '1415' },
            { value: 'JP', count: '814' },
          ],
          distinct: '252',
          nulls: '0',
          min: 'AD',
          max: 'ZW',
        },
        {
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
        },
      ],
      total: '135233',
    },
  },
};

/** What POST and QUERY have in common. */
const COMMON = {
  tag: 'Query',
  access: 'token',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('FacetsRequest'), examples: REQUESTS } },
  },
  problems: readProblems(OF_LISTS, OF_EXPORTS),
} satisfies Partial<OperationParts>;

/** `POST /api/v1/dynamic/facets` */
export const POST_FACETS_OPERATION = operation({
  ...COMMON,
  operationId: 'facets',
  summary: 'Ask what the attributes of a list hold',
  description:
    'Answers how often an attribute has which value, or how its values are distributed, ' +
    'for several attributes and all from one snapshot of the data. Every number is exact.',
  parameters: [DATA_AT_LEAST],
  replies: { 200: facets(REPLY_HEADERS) },
});

/** `QUERY /api/v1/dynamic/facets`, which OpenAPI knows since 3.2. */
export const QUERY_FACETS_OPERATION = operation({
  ...COMMON,
  operationId: 'facetsAgain',
  summary: 'Ask what the attributes of a list hold, unless the caller holds it',
  description:
    'The same as by POST, by the method QUERY (RFC 10008). The reply has a strong `ETag`; ' +
    'a caller who sends it in `If-None-Match` gets 304 without a body while they are the same.',
  parameters: [DATA_AT_LEAST, IF_NONE_MATCH],
  replies: { 200: facets([...REPLY_HEADERS, 'ETag', 'Vary']), 304: notModified(HELD_HEADERS) },
});

function facets(headers: readonly HeaderName[]): object {
  const content = { schema: schemaRef('FacetsReply'), examples: REPLIES };
  return reply('The facets.', { 'application/json': content }, headers);
}
