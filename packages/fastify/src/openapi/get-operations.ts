import { API_PATHS, type ProblemCode } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import {
  IF_NONE_MATCH,
  json,
  notModified,
  operation,
  type OperationParts,
  type Parameter,
  pathParameter,
  reply,
} from './operations.ts';
import { schemaRef } from './schemas.ts';

type Names = Pick<OperationParts, 'operationId' | 'summary' | 'description'>;

interface Get extends Names {
  readonly tag: OperationParts['tag'];
  readonly reply: readonly [description: string, content: Readonly<Record<string, object>>];
  readonly problems?: readonly ProblemCode[];
  /** The part of the path in braces. */
  readonly part?: Parameter;
  /** Headers of a reply with an `ETag`; undefined without one. */
  readonly tagged?: readonly HeaderName[];
}

const ATTRIBUTE = { nullable: false, description: null, sortable: true };

const CITIES = {
  name: 'cities',
  description: 'The populated places of the world.',
  attributes: [
    { ...ATTRIBUTE, name: 'id', type: 'int64', operators: ['eq', 'in', 'gt'] },
    { ...ATTRIBUTE, name: 'name', type: 'text', operators: ['eq', 'contains'] },
    {
      ...ATTRIBUTE,
      name: 'population',
      type: 'int64',
      nullable: true,
      operators: ['gte', 'between', 'is_null'],
    },
    { ...ATTRIBUTE, name: 'country_code', type: 'text', operators: ['eq', 'in'] },
  ],
  key: ['id'],
  default_sort: [{ attribute: 'population', direction: 'desc', nulls: 'last' }],
  max_page_size: 1000,
  references: [{ attributes: ['country_code'], model: 'countries', key: ['code'] }],
};

/** With several databases: the state of each by its name. */
const DATABASES = { type: 'object', additionalProperties: { enum: ['answers', 'away'] } };

const CATALOGUE = { tag: 'Catalogue', tagged: ['Catalogue-Tag'] } as const;
const DOCUMENT = {
  tag: 'Reference',
  reply: ['The document.', json({ schema: { type: 'object' } })],
  tagged: [],
} as const;
const PAGE = {
  tag: 'Reference',
  reply: ['The page.', { 'text/html': { schema: { type: 'string' } } }],
} as const;

const GETS: Readonly<Record<string, Get>> = {
  [`/${API_PATHS.models}`]: {
    ...CATALOGUE,
    operationId: 'listModels',
    summary: 'List the models',
    description:
      'The models that the token may see, and of each what it may ask. ' +
      'What is hidden from it cannot be distinguished from what is not there.',
    reply: ['The models.', json({ schema: schemaRef('Catalogue'), example: { models: [CITIES] } })],
    problems: ['not_acceptable', 'internal'],
  },
  [`/${API_PATHS.models}/{name}`]: {
    ...CATALOGUE,
    operationId: 'getModel',
    summary: 'Describe one model',
    description: 'One model, as the list has it.',
    part: ['name', 'Name of the model.', 'cities'],
    reply: ['The model.', json({ schema: schemaRef('Model'), example: CITIES })],
    problems: ['not_found', 'not_acceptable', 'uri_too_long', 'internal'],
  },
  '/livez': {
    tag: 'Health',
    operationId: 'checkLife',
    summary: 'Ask whether the process lives',
    description: 'A process that does not answer is to be started again.',
    reply: ['It answers.', statusOf('live')],
  },
  '/readyz': {
    tag: 'Health',
    operationId: 'checkReadiness',
    summary: 'Ask whether queries can be answered',
    description:
      'Falls while the database is away, and while the process stops. A process that is merely ' +
      'busy stays ready. Of several databases one has to answer; `databases` says which do.',
    reply: ['It can answer queries.', statusOf('ready', { databases: DATABASES })],
    problems: ['database_unavailable', 'shutting_down', 'query_timeout', 'internal'],
  },
  '/openapi.json': {
    ...DOCUMENT,
    operationId: 'getOpenApi',
    summary: 'Read this document in OpenAPI 3.1',
    description: 'The same for every caller: it names no model.',
  },
  '/openapi-3.0.json': {
    ...DOCUMENT,
    operationId: 'getOpenApi30',
    summary: 'Read this document in OpenAPI 3.0',
    description: 'For generators that do not read OpenAPI 3.1.',
  },
  '/openapi-3.2.json': {
    ...DOCUMENT,
    operationId: 'getOpenApi32',
    summary: 'Read this document in OpenAPI 3.2',
    description: 'With the method QUERY, for which OpenAPI 3.1 has no word.',
  },
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
    description:
      'Where the `type` of a problem document leads: what the code means, and what to do.',
    part: ['code', 'A problem code.', 'size_too_large'],
    problems: ['not_found', 'uri_too_long'],
  },
};

/** By path. */
export const GET_OPERATIONS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(GETS).map(([path, { part, reply: replied, tagged, problems = [], ...names }]) => {
    const isOpen = names.tag !== 'Catalogue';
    const limits: HeaderName[] = isOpen ? [] : ['RateLimit', 'RateLimit-Policy'];
    const headers: HeaderName[] = tagged ? [...tagged, 'ETag', ...limits] : limits;
    return [
      path,
      operation({
        ...names,
        access: isOpen ? 'public' : 'token',
        parameters: [...(part ? [pathParameter(...part)] : []), ...(tagged ? [IF_NONE_MATCH] : [])],
        replies: { 200: reply(...replied, headers), ...(tagged && { 304: notModified(tagged) }) },
        problems,
      }),
    ];
  }),
);

function statusOf(status: string, others: object = {}): Record<string, object> {
  const schema = {
    type: 'object',
    properties: { status: { const: status }, ...others },
    required: ['status'],
    additionalProperties: false,
  };
  return json({ schema, example: { status } });
}
