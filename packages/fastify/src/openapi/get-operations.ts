import { API_PATHS } from '@proj/contract';

import { json, operation, type OperationParts, type Operations, parameter } from './operation.ts';
import { schemaRef } from './schema.ts';

const CATALOGUE = { tag: 'Catalogue', headers: ['Catalogue-Tag'], unchanged: [] } as const;
const PAGE = {
  tag: 'Reference',
  content: { 'text/html': { schema: { type: 'string' } } },
} as const;
/** With several databases: the state of each by its name. */
const DATABASES = { type: 'object', additionalProperties: { enum: ['answers', 'away'] } };

/** The same for every caller: they name no model. */
const documents = Object.fromEntries(
  ['3.1', '3.0', '3.2'].map((version): [string, OperationParts] => {
    const suffix = version === '3.1' ? '' : `-${version}`;
    const parts = {
      tag: 'Reference',
      operationId: `getOpenApi${suffix.replaceAll(/\D/g, '')}`,
      summary: `Read this document in OpenAPI ${version}`,
      description: 'Only 3.2 has the method QUERY.',
      content: json({ schema: { type: 'object' } }),
      unchanged: [],
    } as const;
    return [`/openapi${suffix}.json`, parts];
  }),
);

const GETS: Readonly<Record<string, OperationParts>> = {
  [`/${API_PATHS.models}`]: {
    ...CATALOGUE,
    operationId: 'listModels',
    summary: 'List the models',
    description:
      'The models that the token may see, and of each what it may ask. What is hidden from it ' +
      'cannot be distinguished from what is not there.',
    content: json({ schema: schemaRef('Catalogue') }),
    problems: ['not_acceptable', 'internal'],
  },
  [`/${API_PATHS.models}/{name}`]: {
    ...CATALOGUE,
    operationId: 'getModel',
    summary: 'Describe one model',
    description: 'One model, as the list has it.',
    parameters: [inPath('name', 'Name of the model.', 'cities')],
    content: json({ schema: schemaRef('Model') }),
    problems: ['not_found', 'not_acceptable', 'uri_too_long', 'internal'],
  },
  '/livez': {
    tag: 'Health',
    operationId: 'checkLife',
    summary: 'Ask whether the process lives',
    description: 'A process that does not answer is to be started again.',
    content: statusOf('live'),
  },
  '/readyz': {
    tag: 'Health',
    operationId: 'checkReadiness',
    summary: 'Ask whether queries can be answered',
    description:
      'Falls while the database is away, and while the process stops. A process that is merely ' +
      'busy stays ready. Of several databases one has to answer; `databases` says which do.',
    content: statusOf('ready', { databases: DATABASES }),
    problems: ['database_unavailable', 'shutting_down', 'query_timeout', 'internal'],
  },
  ...documents,
  '/docs': {
    ...PAGE,
    operationId: 'showReference',
    summary: 'Read this document as a page',
    description: 'A page to read and to try requests on.',
  },
  '/problems': {
    ...PAGE,
    operationId: 'listProblems',
    summary: 'List the problems',
    description: 'A page that lists every code.',
  },
  '/problems/{code}': {
    ...PAGE,
    operationId: 'explainProblem',
    summary: 'Explain a problem',
    description: 'Where the `type` of a problem leads: what the code means, and what to do.',
    parameters: [inPath('code', 'A problem code.', 'size_too_large')],
    problems: ['not_found', 'uri_too_long'],
  },
};

/** By path. */
export const GET_OPERATIONS: Operations = Object.fromEntries(
  Object.entries(GETS).map(([path, parts]) => [path, { get: operation(parts) }]),
);

function inPath(...part: Parameters<typeof parameter>) {
  return { ...parameter(...part), in: 'path', required: true };
}

function statusOf(status: string, others: object = {}) {
  const schema = {
    type: 'object',
    properties: { status: { const: status }, ...others },
    required: ['status'],
    additionalProperties: false,
  };
  return json({ schema, example: { status } });
}
