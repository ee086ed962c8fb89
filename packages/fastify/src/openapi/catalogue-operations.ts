import { IF_NONE_MATCH, notModified, operation, reply } from './operations.ts';
import { type HeaderName } from './headers.ts';
import { schemaRef } from './schemas.ts';

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

const HEADERS: readonly HeaderName[] = ['Catalogue-Tag', 'ETag', 'RateLimit', 'RateLimit-Policy'];

/** `GET /api/v1/dynamic/models` */
export const MODELS_OPERATION = operation({
  operationId: 'listModels',
  summary: 'List the models',
  description:
    'The models that the token may see, and of each what it may ask. ' +
    'What is hidden from it cannot be distinguished from what is not there.',
  tag: 'Catalogue',
  access: 'token',
  parameters: [IF_NONE_MATCH],
  replies: {
    200: reply(
      'The models.',
      { 'application/json': { schema: schemaRef('Catalogue'), example: { models: [CITIES] } } },
      HEADERS,
    ),
    304: notModified(['Catalogue-Tag']),
  },
  problems: ['not_acceptable', 'internal'],
});

/** `GET /api/v1/dynamic/models/{name}` */
export const MODEL_OPERATION = operation({
  operationId: 'getModel',
  summary: 'Describe one model',
  description: 'One model, as the list has it.',
  tag: 'Catalogue',
  access: 'token',
  parameters: [
    {
      name: 'name',
      in: 'path',
      required: true,
      description: 'Name of the model.',
      schema: { type: 'string' },
      example: 'cities',
    },
    IF_NONE_MATCH,
  ],
  replies: {
    200: reply(
      'The model.',
      { 'application/json': { schema: schemaRef('Model'), example: CITIES } },
      HEADERS,
    ),
    304: notModified(['Catalogue-Tag']),
  },
  problems: ['not_found', 'not_acceptable', 'uri_too_long', 'internal'],
});
