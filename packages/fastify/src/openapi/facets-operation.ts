import {
  OF_EXPORTS,
  OF_LISTS,
  readOperations,
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

/** `POST` and `QUERY` of `/api/v1/dynamic/facets`. */
export const FACETS_OPERATIONS = readOperations({
  operationId: 'facets',
  summaries: {
    post: 'Ask what the attributes of a list hold',
    query: 'Ask what the attributes of a list hold, unless the caller holds it',
  },
  description:
    'Answers how often an attribute has which value, or how its values are distributed, ' +
    'for several attributes and all from one snapshot of the data. Every number is exact.',
  request: { schema: schemaRef('FacetsRequest'), examples: REQUESTS },
  reply: {
    description: 'The facets.',
    headers: REPLY_HEADERS,
    content: { 'application/json': { schema: schemaRef('FacetsReply'), examples: REPLIES } },
  },
  tagged: 'they are',
  problems: readProblems(OF_LISTS, OF_EXPORTS),
});
