import { API_PATHS, EXPORT_FORMATS, WATCH_TYPE } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import { IF_NONE_MATCH, json, notModified, operation, parameter, reply } from './operations.ts';
import { REPLY_EXAMPLES, REQUEST_EXAMPLES } from './read-examples.ts';
import { type ReadName, readProblems } from './read-problems.ts';
import { schemaRef } from './schemas.ts';

interface Read {
  readonly summaries: readonly [post: string, query: string];
  readonly description: string;
  /** The component that describes the body. */
  readonly body: string;
  readonly reply: readonly [description: string, content: Readonly<Record<string, object>>];
  readonly headers: readonly HeaderName[];
  /** Headers beside those of every such path. */
  readonly parameters?: readonly object[];
  /** What stays the same while the `ETag` does; undefined without one. */
  readonly tagged?: string;
}

const OF_ALL = ['Deprecation', 'Sunset', 'RateLimit', 'RateLimit-Policy'] as const;
const LASTING: readonly HeaderName[] = ['Data-Age', 'Data-Position', 'Data-State', ...OF_ALL];
const OF_PAGES: readonly HeaderName[] = [
  'Accept-Query',
  'Catalogue-Tag',
  'Server-Timing',
  'Data-Version',
  ...LASTING,
];

const DATA_AT_LEAST = parameter(
  'Data-At-Least',
  'A position that the reply has to include: the `Data-Position` of an earlier reply, or that ' +
    'of a write of the caller, as the database names it (an LSN of PostgreSQL, ' +
    'global transaction ids of MariaDB). Ignored where only the primary answers the token, ' +
    'which includes all of them.',
  '0/16B3748@1.mK3xQ0bT',
);

const EXPORTED = {
  [EXPORT_FORMATS.jsonl.type]: text(
    'One record a line, as JSON: as in `result` of a page (https://jsonlines.org).',
    '{"name":"Tokyo","population":"8336599"}\n{"name":"Nauru","population":null}\n',
  ),
  [EXPORT_FORMATS.csv.type]: text(
    'A line with the names of the attributes, then one for each record (RFC 4180). ' +
      'NULL is an empty field, the empty text is `""`; arrays and objects are JSON.',
    'name,population\r\nTokyo,8336599\r\nNauru,\r\n',
  ),
  [EXPORT_FORMATS.parquet.type]: text(
    'A Parquet file with a column for each attribute, of its type. The file can be read only ' +
      'where all records have come, since its footer comes last.',
  ),
};

const EVENTS = text(
  'Server-sent events. The data of those named `list` is a JSON object with `total`, ' +
    '`total_at_least` where `query_total` asks for less, and `version`, which is absent for ' +
    'tokens that do not see `Data-Version`. Where the list has none, `checked_every_ms` says how ' +
    'often it is read instead. The data of the last event may be a `Problem`.',
  'id: rX0gq9Tn5cZ8mJ2wQv7LkA\nevent: list\ndata: {"total":"566","version":"g7Qx2mW0"}\n\n',
);

const READS: Readonly<Record<ReadName, Read>> = {
  query: {
    summaries: [
      'Ask for one page of a model',
      'Ask for one page of a model, unless the caller holds it',
    ],
    description:
      'Answers the records of one page with the exact total, ' +
      'both from one snapshot of the data. Repeating a query is safe: it only reads.',
    body: 'QueryRequest',
    reply: ['The page.', json({ schema: schemaRef('QueryReply'), examples: REPLY_EXAMPLES.query })],
    headers: OF_PAGES,
    tagged: 'the page is',
  },
  export: {
    summaries: [
      'Ask for a whole list of a model, as a file',
      'Ask for a whole list of a model by the method QUERY',
    ],
    description:
      'Answers all records of a list in its order, from one snapshot of the data, as `Accept` ' +
      'says. A reply that cannot be finished ends without its last chunk: hold the records ' +
      'against `Export-Total` where your client hides that. After `TE: trailers` the trailer ' +
      '`Export-Count` says how many came.',
    body: 'ExportRequest',
    reply: ['The whole list.', EXPORTED],
    headers: [
      'Accept-Query',
      'Export-Total',
      'Server-Timing',
      'Data-Version',
      'Data-State',
      'Catalogue-Tag',
      ...OF_ALL,
    ],
  },
  facets: {
    summaries: [
      'Ask what the attributes of a list hold',
      'Ask what the attributes of a list hold, unless the caller holds it',
    ],
    description:
      'Answers how often an attribute has which value, or how its values are distributed, ' +
      'for several attributes and all from one snapshot of the data. Every number is exact.',
    body: 'FacetsRequest',
    reply: [
      'The facets.',
      json({ schema: schemaRef('FacetsReply'), examples: REPLY_EXAMPLES.facets }),
    ],
    headers: OF_PAGES,
    tagged: 'they are',
  },
  watch: {
    summaries: [
      'Ask for events when a list changes',
      'Ask for events when a list changes by the method QUERY',
    ],
    description:
      'Answers with server-sent events: one named `list` at once, and another one whenever the ' +
      'list has changed, with its total and the version of the data. The last event is one named ' +
      '`problem` where the service says why there are no more. After a break, `Last-Event-ID` ' +
      'with the `id` of the last event leaves out the first one if the list is still the same.',
    body: 'WatchRequest',
    parameters: [
      parameter(
        'Last-Event-ID',
        'The `id` of the last event that the caller has.',
        'rX0gq9Tn5cZ8mJ2wQv7LkA',
      ),
    ],
    reply: ['Events, until the caller disconnects.', { [WATCH_TYPE]: EVENTS }],
    headers: ['Accept-Query', 'Catalogue-Tag', ...OF_ALL],
  },
};

/** By path. OpenAPI knows the method QUERY since 3.2. */
export const READ_OPERATIONS: Readonly<Record<string, ReadOperations>> = Object.fromEntries(
  (['query', 'export', 'facets', 'watch'] as const).map((name) => [
    `/${API_PATHS[name]}`,
    readOperations(name, READS[name]),
  ]),
);

export interface ReadOperations {
  readonly post: object;
  readonly query: object;
}

function readOperations(name: ReadName, read: Read): ReadOperations {
  const { tagged, headers, parameters = [], description } = read;
  const content = { schema: schemaRef(read.body), examples: REQUEST_EXAMPLES[name] };
  const common = {
    tag: 'Query',
    access: 'token',
    requestBody: { required: true, content: json(content) },
    problems: readProblems(name),
  } as const;
  const isTagged = tagged !== undefined;
  const sent = isTagged ? [...parameters, DATA_AT_LEAST] : parameters;
  const vary: HeaderName[] = isTagged ? ['ETag', 'Vary'] : ['Vary'];
  const post = operation({
    ...common,
    operationId: name,
    summary: read.summaries[0],
    description,
    parameters: sent,
    replies: { 200: reply(...read.reply, headers) },
  });
  const query = operation({
    ...common,
    operationId: `${name}Again`,
    summary: read.summaries[1],
    description: `The same as by POST, by the method QUERY (RFC 10008). ${ofTag(tagged)}`,
    parameters: isTagged ? [...sent, IF_NONE_MATCH] : sent,
    replies: {
      200: reply(...read.reply, [...headers, ...vary]),
      ...(isTagged && { 304: notModified(['Vary', ...LASTING]) }),
    },
  });
  return { post, query };
}

function text(description: string, example?: string): object {
  return { schema: { type: 'string', description }, ...(example !== undefined && { example }) };
}

function ofTag(tagged: string | undefined): string {
  if (tagged === undefined) return 'There is no `ETag`.';
  return (
    'The reply has a strong `ETag`; a caller who sends it in `If-None-Match` ' +
    `gets 304 without a body while ${tagged} the same.`
  );
}
