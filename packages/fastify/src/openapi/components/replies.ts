import {
  attributeSchema,
  catalogueSchema,
  errorSchema,
  modelSchema,
  NO_KEY,
  OPERATORS,
  problemSchema,
  PROBLEMS,
  queryReplySchema,
  referenceSchema,
  replyPageSchema,
  sortTermSchema,
  WIRE_TYPES,
} from '@proj/contract';

import { component, type Components } from '../schema.ts';

const TOO_LARGE = {
  pointer: '/page/size',
  code: 'size_too_large',
  detail: '/page/size: this model answers at most 1000 records per page.',
  maximum: 1000,
};

const DATE = { format: 'date', examples: ['2026-01-31'] };

export const REPLIES: Components = {
  QueryReply: component(queryReplySchema, {
    itself: 'One page, with paging metadata. Rows and total come from one snapshot of the data.',
    result: {
      description: 'The records of the page.',
      items: { $ref: '#/components/schemas/Element' },
    },
    page: 'Paging metadata.',
  }),
  PageMetadata: component(replyPageSchema, {
    itself:
      'Where the page is in the list. Numbers travel as decimal digits, ' +
      'so that no reader rounds them.',
    page: ['The requested page number, or that of the page which holds the record.', '3'],
    size: ['The requested page size.', '10'],
    total: [
      'How many records the whole list has, exactly. `null` only where `query_total` asks for ' +
        'none, or for a total up to fewer records.',
      '42',
    ],
    total_at_least: [
      "One more than `query_total`'s `up_to`, where the list has more records than that; " +
        'absent otherwise.',
      '10001',
    ],
    has_next: 'Whether another page follows: `page × size < total`.',
  }),
  Catalogue: component(catalogueSchema, {
    itself: 'The models that the token may see.',
    models: 'The models, by name.',
    time_zones: [
      'The edition of the IANA time zone database that `time_zone` is looked up in.',
      '2026c',
    ],
  }),
  Model: component(modelSchema, {
    itself: 'One model: what can be asked of it.',
    name: ['What `query_model` names.', 'cities'],
    description: 'What the operator says about it.',
    attributes: 'Its attributes, in the order of the table.',
    key: ['The attributes that together name one record and break every tie of an order.', ['id']],
    no_key: {
      description: 'Why `key` is empty; absent where it is not. A newer server may know more.',
      'x-extensible-enum': Object.keys(NO_KEY),
      examples: ['not_visible'],
    },
    label: [
      'The attribute by which people know a record, as the operator says; absent where nothing ' +
        'is said, or the token does not see it.',
      'name',
    ],
    default_sort: 'The order of a request that asks for none; the key follows it.',
    max_page_size: {
      description: 'The largest `page.size` that it answers.',
      minimum: 1,
      examples: [1000],
    },
    distributed:
      'Whether its records are on several servers, or where the database does not promise one ' +
      'state of them: records and total of a reply may be of different states, and the header ' +
      '`Data-State` says `approximate`. Absent where they never are.',
    references:
      'Its foreign keys, as far as the token sees all attributes at both ends; ' +
      'absent where there is none. A record that is referred to may be hidden from the token.',
    deprecated: 'Announces that the model will be removed; absent otherwise.',
  }),
  Attribute: component(attributeSchema, {
    itself: 'One attribute of a model.',
    name: ['What `query_attributes` names.', 'population'],
    type: {
      description: 'The wire type: how values look in JSON. A newer server may know more of them.',
      'x-extensible-enum': Object.keys(WIRE_TYPES),
      examples: ['int64'],
    },
    items: ["The type of an array's items or a range's bounds; absent for other types.", 'text'],
    nullable: 'Whether a value may be `null`.',
    special_values: [
      'The words that may be among the numbers of a float64; absent where the database stores ' +
        'none, and for other types.',
      ['NaN', 'Infinity', '-Infinity'],
    ],
    misfits: [
      'Which values that are not of its type the database may hold; they travel as strings. ' +
        '`numbers`: digits in a `boolean`; `any`: any text. A newer server may know more. ' +
        'Absent where there are none, and for types whose values are all strings.',
      'numbers',
    ],
    description: 'What the operator says about it.',
    operators: {
      description:
        'The filter operators that it takes; empty where it cannot be filtered on. ' +
        'A newer server may know more of them.',
      items: { type: 'string', 'x-extensible-enum': Object.keys(OPERATORS) },
    },
    sortable: 'Whether a request may sort by it.',
    facets: {
      description:
        'The facets that it has: `values`, `bins`, and `sum` where bins have a sum and ' +
        'an average.',
      items: { type: 'string', 'x-extensible-enum': ['values', 'bins', 'sum'] },
    },
    deprecated: 'Announces that the attribute will be removed; absent otherwise.',
  }),
  Reference: component(referenceSchema, {
    itself:
      'A foreign key: attributes that hold the key of a record of another model, or of the same.',
    name: [
      'The first part of paths along it, as in `country.name`. Absent where none leads along ' +
        'it: a record might lead to several, or another reference would have the name.',
      'country',
    ],
    inverse: [
      'The name by which a filter of the model that is referred to asks for these records; ' +
        'absent where there is none.',
      'cities',
    ],
    attributes: ['Attributes of this model.', ['country_code']],
    model: ['The model that they refer to.', 'countries'],
    key: ['Its attributes, in the same order. They name one record of it.', ['code']],
  }),
  SortTerm: component(sortTermSchema, {
    itself: 'One term of an order, complete.',
    attribute: ['What it orders by.', 'population'],
    direction: 'Upwards or downwards; upwards where absent.',
    nulls: 'Where NULL is sorted.',
  }),
  Deprecation: component(modelSchema.shape.deprecated.def.innerType, {
    itself: 'The announcement that something will be removed.',
    since: {
      description: 'The date from which callers should use something else (RFC 3339 full-date).',
      ...DATE,
    },
    sunset: {
      description:
        'The date on which it will be removed (RFC 3339 full-date); `null` where that is open.',
      ...DATE,
    },
    note: 'What to use instead.',
  }),
  Problem: component(problemSchema, {
    itself:
      'A problem document (RFC 9457). Programs read `code`; `title` and `detail` are for people.',
    type: {
      description:
        'A URI reference to the page that explains the code: `/problems/<code>`, after the ' +
        'public URL of the service where that is known.',
      format: 'uri-reference',
      examples: ['/problems/size_too_large'],
    },
    title: ['What the code means, always in the same words.', PROBLEMS.size_too_large.title],
    status: {
      description: 'The status of the reply.',
      minimum: 400,
      maximum: 599,
      examples: [400],
    },
    detail: ['What happened this time.', TOO_LARGE.detail],
    code: {
      description:
        'The kind of problem. A code never changes its meaning; ' +
        'a newer server may send one that is not listed here.',
      'x-extensible-enum': Object.keys(PROBLEMS),
      examples: ['size_too_large'],
    },
    request_id: "The reply's `X-Request-Id`: what to give the operator.",
    errors: ['Every error of the request body; absent where the body has none.', [TOO_LARGE]],
  }),
  RequestError: component(errorSchema, {
    itself: 'One error of the request.',
    pointer: {
      description: 'Where in the body (RFC 6901); empty for the body itself.',
      format: 'json-pointer',
      examples: ['/page/size'],
    },
    code: 'The kind of error, from the same list as the code of a problem.',
    detail: 'A sentence for people.',
    maximum: 'The limit that was passed, where the error is a limit.',
    did_you_mean: 'A visible name that is close to the unknown one.',
  }),
};
