import {
  aggregateRequestSchema,
  AGGREGATES,
  containingPageSchema,
  exportRequestSchema,
  facetRequestSchema,
  facetsRequestSchema,
  groupTermSchema,
  queryRequestSchema,
  RELATION_LIMITS,
  relatedRequestSchema,
  watchRequestSchema,
} from '@proj/contract';
import { pageRequestSchema } from '@proj/paging/schema';

import { FILTER } from '../filter-schema.ts';
import { component, type Components, type Members, schemaRef, type Text } from '../schema.ts';

const LIST = {
  query_model: ['Name of the model, from the catalogue.', 'cities'],
  query_attributes: {
    description:
      'Attributes to return, each once, and paths along references such as `country.name`: at ' +
      `most ${RELATION_LIMITS.paths}, of at most ${RELATION_LIMITS.steps} references.`,
    uniqueItems: true,
    examples: [['name', 'population']],
  },
  query_filter: { ...FILTER, description: 'Which records to keep; all where absent.' },
  query_sort: "The order; the model's own where absent. The key comes last always.",
  query_related: 'Attributes of this request: counts and aggregates of records that refer to each.',
  query_groups: {
    description:
      'Makes the list one of groups by these attributes. NULL is a group. Other members name ' +
      'these and the aggregates; a part of time is named as in `placed_at.month`.',
    items: { oneOf: [{ type: 'string' }, schemaRef('GroupRequest')] },
    examples: [['country.name', { attribute: 'placed_at', by: 'month' }]],
  },
  query_aggregates: 'What is computed of the records of each group.',
  query_group_filter: { ...FILTER, description: 'Which groups to keep; all where absent.' },
} satisfies Members;

const QUERY_TOTAL: Text = {
  description:
    'How much of the total is counted; all of it where absent. `none`: nothing. `up_to`: so many ' +
    'records at most, up to the limit of the operator. Records and `has_next` are exact always.',
  oneOf: [
    { type: 'string', enum: ['exact', 'none'] },
    {
      type: 'object',
      properties: { up_to: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
      required: ['up_to'],
      additionalProperties: false,
    },
  ],
  examples: ['none', { up_to: 10_000 }],
};

const TIME_ZONE: Text = [
  'The IANA zone whose local times, with their offset, show instants; UTC where absent.',
  'Europe/Paris',
];

const SORT_TERM = queryRequestSchema.shape.query_sort.def.innerType.def.element;

/** Members that are not named here are refused. */
export const REQUESTS: Components = {
  QueryRequest: component(queryRequestSchema, {
    itself: 'Asks for one page of a model.',
    ...LIST,
    page: {
      description: 'The page to answer: by its number, or by a record that it holds.',
      oneOf: [schemaRef('PageRequest'), schemaRef('ContainingPage')],
    },
    query_total: QUERY_TOTAL,
  }),
  ExportRequest: component(exportRequestSchema, {
    itself: 'Asks for a whole list of a model.',
    ...LIST,
    export_csv: 'How CSV is written; only with `Accept: text/csv`.',
  }),
  WatchRequest: component(watchRequestSchema, {
    itself: 'Asks for events when a list changes.',
    ...LIST,
    query_total: QUERY_TOTAL,
    watch_every_ms: ['The least milliseconds between two events; 1,000 where absent.', 500],
  }),
  FacetsRequest: component(facetsRequestSchema, {
    itself: 'Asks what attributes of a list hold.',
    query_model: LIST.query_model,
    query_filter: LIST.query_filter,
    query_related: 'As in a query; filters and facets may name them.',
    query_facets: 'The facets to answer.',
  }),
  FacetRequest: component(facetRequestSchema, {
    itself: 'Asks for either values or bins of an attribute.',
    attribute: ['One whose `facets` in the catalogue has `values`, or `bins`.', 'country_code'],
    values: ['The most values to return.', 20],
    bins: ['Into how many even intervals to divide the values; a type may have fewer.', 20],
    time_zone: TIME_ZONE,
    sort: 'The order of values: the most frequent first, as also where absent, or by themselves.',
    query_filter: { ...FILTER, description: 'Takes the place of the common filter.' },
  }),
  CsvRequest: component(exportRequestSchema.shape.export_csv.def.innerType, {
    itself: 'How CSV treats what it has no form for.',
    null: ['Stands for NULL; a text that looks the same is quoted. Default: nothing.', 'NULL'],
    guard_formulas: 'Whether texts that a spreadsheet would run get an apostrophe first.',
  }),
  PageRequest: component(pageRequestSchema, {
    itself: 'Selects the page. The offset is `(page − 1) × size`.',
    page: ['Page number, from 1. A page past the end has no records and the real total.', 3],
    size: ['Records per page. More than `max_page_size` of the model is refused.', 10],
  }),
  ContainingPage: component(containingPageSchema, {
    itself: 'Selects the page that holds a record, by the order and the filter of the query.',
    containing: {
      description: "A value for each attribute of the model's `key`, compared as by `eq`.",
      type: 'object',
      additionalProperties: true,
      examples: [{ id: '17' }],
    },
    size: ['Records per page, as for a page by its number.', 10],
  }),
  SortRequest: component(SORT_TERM, {
    itself: 'One term of an order.',
    attribute: ['An attribute that the catalogue calls sortable.', 'population'],
    direction: 'Upwards or downwards; upwards where absent.',
    nulls: 'Where NULL is sorted. Where absent it counts as the largest value.',
  }),
  GroupRequest: component(groupTermSchema, {
    itself: 'A group attribute.',
    attribute: ['An attribute whose `facets` in the catalogue has `values`.', 'placed_at'],
    by: ['Cuts dates to the start of a part of time. Weeks begin on Mondays.', 'month'],
    time_zone: TIME_ZONE,
  }),
  AggregateRequest: component(aggregateRequestSchema, {
    itself: 'A value that is computed of the records of each group.',
    name: ['Its member in the records: up to 63 letters, digits and underscores.', 'revenue'],
    op: Object.entries(AGGREGATES)
      .map(([op, { meaning }]) => `\`${op}\`: ${meaning}.`)
      .join(' '),
    attribute: ['What it is of. Only `count` may do without.', 'amount'],
  }),
  RelatedRequest: component(relatedRequestSchema, {
    itself: 'A count or an aggregate of the records that refer to each record.',
    name: ['Its member in the records, as of an aggregate; no attribute has it.', 'invoices_count'],
    related: ['The related records, by an `inverse` of the catalogue.', 'invoices'],
    op: 'As in `query_aggregates`. Of no records, counts are 0 and others NULL.',
    attribute: ['Of the related model, or a path. Only `count` may do without.', 'issued_at'],
    filter: { ...FILTER, description: 'Which related records to look at; all where absent.' },
  }),
};
