import { type ProblemCode, WATCH_TYPE } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import { OF_EXPORTS, OF_FACETS, readOperations, readProblems } from './read-operations.ts';
import { schemaRef } from './schemas.ts';

const REQUESTS = {
  list: {
    summary: 'The cities of more than a million, with at most two events a second',
    value: {
      query_model: 'cities',
      query_attributes: ['name', 'population'],
      query_filter: { attribute: 'population', op: 'gt', value: '1000000' },
      watch_every_ms: 500,
    },
  },
};

const OF_A_PAGE: ReadonlySet<ProblemCode> = new Set([
  'size_too_large',
  'no_visible_key',
  'record_not_in_list',
  'reply_too_large',
  'invalid_position',
]);

const REPLY_HEADERS: readonly HeaderName[] = [
  'Accept-Query',
  'Catalogue-Tag',
  'Deprecation',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
];

/** `POST` and `QUERY` of `/api/v1/dynamic/watch`. */
export const WATCH_OPERATIONS = readOperations({
  operationId: 'watch',
  summaries: {
    post: 'Ask for events when a list changes',
    query: 'Ask for events when a list changes by the method QUERY',
  },
  description:
    'Answers with server-sent events: one named `list` at once, and another one whenever the ' +
    'list has changed, with its total and the version of the data. The last event is one named ' +
    '`problem` where the service says why there are no more. After a break, `Last-Event-ID` with ' +
    'the `id` of the last event leaves out the first one if the list is still the same.',
  request: { schema: schemaRef('WatchRequest'), examples: REQUESTS },
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last event that the caller has.',
      schema: { type: 'string' },
      example: 'rX0gq9Tn5cZ8mJ2wQv7LkA',
    },
  ],
  reply: {
    description: 'Events, until the caller disconnects.',
    headers: REPLY_HEADERS,
    content: {
      [WATCH_TYPE]: {
        schema: {
          type: 'string',
          description:
            'Server-sent events. The data of those named `list` is a JSON object with `total`, ' +
            '`total_at_least` where `query_total` asks for less, and `version`, which is absent ' +
            'for tokens that do not see `Data-Version`. Where the list has none, ' +
            '`checked_every_ms` says how often it is read instead. The data of the last event ' +
            'may be a `Problem`.',
        },
        example:
          'id: rX0gq9Tn5cZ8mJ2wQv7LkA\nevent: list\n' +
          'data: {"total":"566","version":"g7Qx2mW0"}\n\n',
      },
    },
  },
  problems: readProblems(OF_A_PAGE, OF_EXPORTS, OF_FACETS),
});
