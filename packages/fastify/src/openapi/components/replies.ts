import {
  attributeSchema,
  binFacetSchema,
  catalogueSchema,
  errorSchema,
  facetsReplySchema,
  modelSchema,
  NO_KEY,
  problemSchema,
  PROBLEMS,
  queryReplySchema,
  referenceSchema,
  replyPageSchema,
  sortTermSchema,
  valueFacetSchema,
} from '@proj/contract';

import { component, type Components, schemaRef } from '../schema.ts';

const OF_FACETS = {
  attribute: 'The attribute that was asked for.',
  nulls: 'How many records have no value.',
  min: 'The first value in order; `null` without values, absent where it cannot be sorted by.',
  max: 'The last one.',
};

const TOO_LARGE = {
  pointer: '/page/size',
  code: 'size_too_large',
  detail: '/page/size: this model answers at most 1000 records per page.',
  maximum: 1000,
};

const DATE = { format: 'date', examples: ['2026-01-31'] };

/** A newer server may know more types, operators, facets, misfits and codes. */
export const REPLIES: Components = {
  QueryReply: component(queryReplySchema, {
    itself: 'One page, from one snapshot of the data.',
    result: { description: 'The records of the page.', items: schemaRef('Element') },
    page: 'Paging metadata.',
  }),
  PageMetadata: component(replyPageSchema, {
    itself: 'Where the page is in the list. Numbers are decimal digits, which no reader rounds.',
    page: ['The requested page number, or that of the page which holds the record.', '3'],
    size: ['The requested page size.', '10'],
    total: ['The exact number of all records; `null` where `query_total` asks for less.', '42'],
    total_at_least: ['One more than `up_to` where the list has more; absent otherwise.', '10001'],
    has_next: 'Whether another page follows: `page × size < total`.',
  }),
  FacetsReply: component(facetsReplySchema, {
    itself: 'What the attributes hold, all from one snapshot of the data.',
    facets: 'The facets, in the order of the request.',
    total: ['How many records the common filter keeps, exactly.', '135233'],
  }),
  ValueFacet: component(valueFacetSchema, {
    itself: 'How often an attribute has which value.',
    ...OF_FACETS,
    values:
      'Values, each with the total of the list by `eq`. Of equal ones the least text is shown.',
    distinct: 'How many different values there are; NULL is none.',
  }),
  BinFacet: component(binFacetSchema, {
    itself: 'How the values of an attribute are distributed.',
    ...OF_FACETS,
    bins: 'Even intervals with their records: from `from` to below `to`, the last with its `to`.',
    others: 'Records with a value in no bin: NaN, infinities, and what is no date or number.',
    sum: 'In digits, exact but for floats; `null` where no number is, absent for dates and times.',
    average: 'The sum divided by how many numbers there are, as `sum`.',
  }),
  Catalogue: component(catalogueSchema, {
    itself: 'The models that the token may see.',
    models: 'The models, by name.',
    time_zones: ['The edition of the IANA data that `time_zone` is looked up in.', '2026c'],
  }),
  Model: component(modelSchema, {
    itself: 'One model: what can be asked of it.',
    name: ['What `query_model` names.', 'cities'],
    description: 'What the operator says about it.',
    attributes: 'Its attributes, in the order of the table.',
    key: ['The attributes that together name one record and break every tie of an order.', ['id']],
    no_key: [`Why \`key\` is empty: ${Object.keys(NO_KEY).join(', ')}.`, 'not_visible'],
    label: ['The attribute by which people know a record, if one is declared and seen.', 'name'],
    default_sort: 'The order of a request that asks for none; the key follows it.',
    max_page_size: ['The largest `page.size` that it answers.', 1000],
    distributed:
      'Set where records and total may be of different states, as `Data-State` says too.',
    references:
      'Foreign keys that the token sees at both ends, if any. Records may be hidden there.',
    deprecated: 'Announces that the model will be removed; absent otherwise.',
  }),
  Attribute: component(attributeSchema, {
    itself: 'One attribute of a model.',
    name: ['What `query_attributes` names.', 'population'],
    type: ['The wire type: how values look in JSON. `Element` lists them.', 'int64'],
    items: ["The type of an array's items or a range's bounds; absent for other types.", 'text'],
    nullable: 'Whether a value may be `null`.',
    special_values: ['What words a float64 may be, if any.', ['NaN', 'Infinity', '-Infinity']],
    misfits:
      'What strings it may hold besides: `numbers` in a `boolean`, or `any`; absent for none.',
    description: 'What the operator says about it.',
    operators: 'The filter operators that it takes; empty where it cannot be filtered on.',
    sortable: 'Whether a request may sort by it.',
    facets: 'What facets it has: `values`, `bins`, and `sum` where bins have sum and average.',
    deprecated: 'Announces that the attribute will be removed; absent otherwise.',
  }),
  Reference: component(referenceSchema, {
    itself: 'A foreign key: attributes that hold the key of a record of a model.',
    name: ['Begins paths along it, as in `country.name`, if any do.', 'country'],
    inverse: ["The name by which that model's filters ask for these records, if any.", 'cities'],
    attributes: ['Attributes of this model.', ['country_code']],
    model: ['The model that they refer to.', 'countries'],
    key: ['Its attributes, in the same order. They name one record of it.', ['code']],
  }),
  SortTerm: component(sortTermSchema, {
    itself: 'One term of an order, complete.',
    attribute: ['What it orders by.', 'population'],
    direction: 'Upwards or downwards.',
    nulls: 'Where NULL is sorted.',
  }),
  Deprecation: component(modelSchema.shape.deprecated.def.innerType, {
    itself: 'The announcement that something will be removed.',
    since: { ...DATE, description: 'From when callers should use something else (RFC 3339).' },
    sunset: { ...DATE, description: 'When it will be removed; `null` where that is open.' },
    note: 'What to use instead.',
  }),
  Problem: component(problemSchema, {
    itself: 'A problem document (RFC 9457). Programs read `code`, people `title` and `detail`.',
    type: ['The page that explains the code.', '/problems/size_too_large'],
    title: ['What the code means, always in the same words.', PROBLEMS.size_too_large.title],
    status: ['The status of the reply.', PROBLEMS.size_too_large.status],
    detail: ['What happened this time.', TOO_LARGE.detail],
    code: ['The kind of problem. A code never changes its meaning.', TOO_LARGE.code],
    request_id: "The reply's `X-Request-Id`: what to give the operator.",
    errors: ['Every error of the request body; absent where the body has none.', [TOO_LARGE]],
  }),
  RequestError: component(errorSchema, {
    itself: 'One error of the request.',
    pointer: ['Where in the body (RFC 6901); empty for the body itself.', TOO_LARGE.pointer],
    code: 'The kind of error, from the same list as the code of a problem.',
    detail: 'A sentence for people.',
    maximum: 'The limit that was passed, where the error is a limit.',
    did_you_mean: 'A visible name that is close to the unknown one.',
  }),
};
