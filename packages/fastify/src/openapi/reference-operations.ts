import {
  IF_NONE_MATCH,
  NOT_MODIFIED,
  operation,
  type OperationParts,
  reply,
} from './operations.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } };

const OPENAPI_REPLY = reply(
  'The document.',
  { 'application/json': { schema: { type: 'object' } } },
  ['ETag'],
);

/** With several databases: the state of each by its name. */
const DATABASES = { type: 'object', additionalProperties: { enum: ['answers', 'away'] } };

export const REFERENCE_PATHS = {
  '/livez': {
    get: operation({
      operationId: 'checkLife',
      summary: 'Ask whether the process lives',
      description: 'A process that does not answer is to be started again.',
      tag: 'Health',
      access: 'public',
      replies: { 200: reply('It answers.', statusOf('live')) },
      problems: [],
    }),
  },
  '/readyz': {
    get: operation({
      operationId: 'checkReadiness',
      summary: 'Ask whether queries can be answered',
      description:
        'Falls while the database is away, and while the process stops. ' +
        'A process that is merely busy stays ready. Of several databases one has to answer; ' +
        '`databases` says which do.',
      tag: 'Health',
      access: 'public',
      replies: {
        200: reply('It can answer queries.', statusOf('ready', { databases: DATABASES })),
      },
      problems: ['database_unavailable', 'shutting_down', 'query_timeout', 'internal'],
    }),
  },
  '/openapi.json': documentPath({
    operationId: 'getOpenApi',
    summary: 'Read this document in OpenAPI 3.1',
    description: 'The same for every caller: it names no model.',
  }),
  '/openapi-3.0.json': documentPath({
    operationId: 'getOpenApi30',
    summary: 'Read this document in OpenAPI 3.0',
    description: 'For generators that do not read OpenAPI 3.1.',
  }),
  '/openapi-3.2.json': documentPath({
    operationId: 'getOpenApi32',
    summary: 'Read this document in OpenAPI 3.2',
    description: 'With the method QUERY, for which OpenAPI 3.1 has no word.',
  }),
  '/docs': {
    get: operation({
      operationId: 'showReference',
      summary: 'Read this document as a page',
      description: 'A page to read and to try requests on.',
      tag: 'Reference',
      access: 'public',
      replies: { 200: reply('The page.', HTML) },
      problems: [],
    }),
  },
  '/problems': {
    get: operation({
      operationId: 'listProblems',
      summary: 'List the problems',
      description: 'A page that lists every code.',
      tag: 'Reference',
      access: 'public',
      replies: { 200: reply('The page.', HTML) },
      problems: [],
    }),
  },
  '/problems/{code}': {
    get: operation({
      operationId: 'explainProblem',
      summary: 'Explain a problem',
      description:
        'Where the `type` of a problem document leads: what the code means, and what to do.',
      tag: 'Reference',
      access: 'public',
      parameters: [
        {
          name: 'code',
          in: 'path',
          required: true,
          description: 'A problem code.',
          schema: { type: 'string' },
          example: 'size_too_large',
        },
      ],
      replies: { 200: reply('The page.', HTML) },
      problems: ['not_found', 'uri_too_long'],
    }),
  },
};

function documentPath(
  names: Pick<OperationParts, 'operationId' | 'summary' | 'description'>,
): object {
  return {
    get: operation({
      ...names,
      tag: 'Reference',
      access: 'public',
      parameters: [IF_NONE_MATCH],
      replies: { 200: OPENAPI_REPLY, 304: NOT_MODIFIED },
      problems: [],
    }),
  };
}

function statusOf(status: string, others: object = {}): Record<string, object> {
  const schema = {
    type: 'object',
    properties: { status: { const: status }, ...others },
    required: ['status'],
    additionalProperties: false,
  };
  return { 'application/json': { schema, example: { status } } };
}
