import {
  aggregateRequestSchema,
  AGGREGATES,
  containingPageSchema,
  exportRequestSchema,
  groupTermSchema,
  queryRequestSchema,
  RELATION_LIMITS,
  relatedRequestSchema,
  watchRequestSchema,
} from '@proj/contract';
import { pageRequestSchema } from '@proj/paging/schema';

import { FILTER } from '../filter-schema.ts';
import { component, type Components, type Members, type Text } from '../schema.ts';

const LIST_MEMBERS: Members = {
  query_model: ['Name of the model, from the catalogue.', 'cities'],
  query_attributes: {
    description:
      'Names of the attributes to return, each once. A path along named references of the ' +
      `catalogue is one too, such as \`country.name\`: of at most ${RELATION_LIMITS.steps} ` +
      `references, and of at most ${RELATION_LIMITS.paths} paths in a request.`,
    uniqueItems: true,
    examples: [['name', 'population']],
  },
  query_filter: { ...FILTER, description: 'Which records to keep; all where absent.' },
  query_sort:
    "The order, the first term first; the model's own where absent. " +
    "The model's key always comes last, so that every order is total.",
  query_related:
    'Counts and aggregates of the records that refer to each record. Each is an attribute of ' +
    'this request: `query_attributes`, `query_filter`, `query_sort`, `query_groups` and ' +
    '`query_aggregates` may name it. Only records that the token sees are looked at.',
  query_groups: {
    description:
      'Makes the list one of groups, by these attributes: by their names, or as objects ' +
      'where dates are cut to a part of time. NULL is a group. `query_attributes`, `query_sort` ' +
      'and `query_group_filter` name these and the aggregates; a part of time is named as in ' +
      '`placed_at.month`.',
    items: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/GroupRequest' }] },
    examples: [['country.name', { attribute: 'placed_at', by: 'month' }]],
  },
  query_aggregates: 'What is computed of the records of each group.',
  query_group_filter: { ...FILTER, description: 'Which groups to keep; all where absent.' },
};

const QUERY_TOTAL: Text = {
  description:
    'How much of the total is counted; all of it where absent. `none`: nothing, and ' +
    '`page.total` is `null`. `up_to`: so many records at most; where there are more, ' +
    '`page.total` is `null`, and `page.total_at_least` is one more than that. ' +
    'Records and `has_next` are exact in any case.',
  oneOf: [
    { type: 'string', enum: ['exact', 'none'] },
    {
      type: 'object',
      properties: {
        up_to: {
          description: 'From 1 to the limit that the operator has set.',
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
        },
      },
      required: ['up_to'],
      additionalProperties: false,
    },
  ],
  examples: ['none', { up_to: 10_000 }],
};

/** Of lists, pages and facets. */
export const REQUESTS: Components = {
  QueryRequest: component(queryRequestSchema, {
    itself: 'Asks for one page of a model. Members that are not named here are refused.',
    ...LIST_MEMBERS,
    page: {
      description: 'The page to answer: by its number, or by a record that it holds.',
      oneOf: [
        { $ref: '#/components/schemas/PageRequest' },
        { $ref: '#/components/schemas/ContainingPage' },
      ],
    },
    query_total: QUERY_TOTAL,
  }),
  ExportRequest: component(exportRequestSchema, {
    itself: 'Asks for a whole list of a model. Members that are not named here are refused.',
    ...LIST_MEMBERS,
    export_csv: 'How CSV is written; only with `Accept: text/csv`.',
  }),
  CsvRequest: component(exportRequestSchema.shape.export_csv.def.innerType, {
    itself: 'How CSV treats what it has no form for.',
    null: [
      'What stands for NULL, without quotes; a text that looks the same is quoted. ' +
        'By default the empty text, where the empty text itself is `""`.',
      'NULL',
    ],
    guard_formulas:
      'Whether a text that a spreadsheet would run as a formula gets an apostrophe before it, ' +
      'which changes the data. Numbers stay as they are. It does not where absent.',
  }),
  PageRequest: component(pageRequestSchema, {
    itself: 'Selects the page. The offset is `(page − 1) × size`; it is computed and never sent.',
    page: ['Page number, from 1. A page past the end has no records and the real total.', 3],
    size: [
      'Records per page, up to `max_page_size` of the model. A larger one is refused, never cut.',
      10,
    ],
  }),
  ContainingPage: component(containingPageSchema, {
    itself:
      'Selects the page of the list that holds a record, by the order and the filter of the query.',
    containing: {
      description:
        "The record: a value for each attribute of the model's `key` in the catalogue, " +
        'in the form in which replies carry it. They are compared as `eq` compares.',
      type: 'object',
      additionalProperties: true,
      examples: [{ id: '17' }],
    },
    size: ['Records per page, as for a page by its number.', 10],
  }),
  SortRequest: component(queryRequestSchema.shape.query_sort.def.innerType.def.element, {
    itself: 'One term of an order.',
    attribute: ['What to sort by: an attribute that the catalogue calls sortable.', 'population'],
    direction: 'Upwards or downwards; upwards where absent.',
    nulls: 'Where NULL is sorted. Where absent it counts as the largest value.',
  }),
  GroupRequest: component(groupTermSchema, {
    itself: 'A group attribute.',
    attribute: ['An attribute whose `facets` in the catalogue has `values`.', 'placed_at'],
    by: [
      'The part of time that dates are cut to; the group is named by its first day, or by its ' +
        'first moment for hours. Weeks begin on Mondays.',
      'month',
    ],
    time_zone: [
      'The zone of the IANA time zone database in which instants are cut; UTC where absent. ' +
        'Hours are then local times with their offset.',
      'Europe/Paris',
    ],
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
    name: [
      'Its member in the records: up to 63 letters, digits and underscores, and the name of ' +
        'no attribute of the model.',
      'invoices_count',
    ],
    related: ['The related records, by an `inverse` of the catalogue.', 'invoices'],
    op: 'As in `query_aggregates`. Of no records, counts are 0 and others NULL.',
    attribute: [
      'An attribute of the related model, or a path. Only `count` may do without.',
      'issued_at',
    ],
    filter: { ...FILTER, description: 'Which related records to look at; all where absent.' },
  }),
};

export const WATCH: Components = {
  WatchRequest: component(watchRequestSchema, {
    itself: 'Asks for events when a list changes. Members that are not named here are refused.',
    ...LIST_MEMBERS,
    query_total: QUERY_TOTAL,
    watch_every_ms: [
      'How many milliseconds are between two events at least; 1,000 where absent.',
      500,
    ],
  }),
};
