import {
  AGGREGATES,
  FACET_LIMITS,
  GROUP_LIMITS,
  NO_KEY,
  OPERATORS,
  PROBLEMS,
  RELATION_LIMITS,
  WIRE_TYPES,
} from '@proj/contract';

type Texts = Readonly<Record<string, unknown>>;

export const MEANINGS: Readonly<Record<string, Texts>> = {
  QueryRequest: {
    description: 'Asks for one page of a model. Members that are not named here are refused.',
  },
  ExportRequest: {
    description: 'Asks for a whole list of a model. Members that are not named here are refused.',
  },
  CsvRequest: { description: 'How CSV treats what it has no form for.' },
  PageRequest: {
    description:
      'Selects the page. The offset is `(page − 1) × size`; it is computed and never sent.',
  },
  ContainingPage: {
    description:
      'Selects the page of the list that holds a record, by the order and the filter of the query.',
  },
  SortRequest: { description: 'One term of an order.' },
  GroupRequest: { description: 'A group attribute.' },
  AggregateRequest: { description: 'A value that is computed of the records of each group.' },
  RelatedRequest: {
    description: 'A count or an aggregate of the records that refer to each record.',
  },
  FacetsRequest: {
    description:
      'Asks what attributes of a list hold. Members that are not named here are refused.',
  },
  FacetRequest: { description: 'Asks for values or for bins of one attribute.' },
  FacetsReply: {
    description: 'The facets in the order of the request, all from one snapshot of the data.',
  },
  ValueFacet: { description: 'How often an attribute has which value.' },
  BinFacet: { description: 'How the values of an attribute are distributed.' },
  WatchRequest: {
    description:
      'Asks for events when a list changes. Members that are not named here are refused.',
  },
  QueryReply: {
    description:
      'One page, with paging metadata. Rows and total come from one snapshot of the data.',
  },
  PageMetadata: {
    description:
      'Where the page is in the list. Numbers travel as decimal digits, ' +
      'so that no reader rounds them.',
  },
  Catalogue: { description: 'The models that the token may see.' },
  Model: { description: 'One model: what can be asked of it.' },
  Attribute: { description: 'One attribute of a model.' },
  Reference: {
    description:
      'A foreign key: attributes that hold the key of a record of another model, or of the same.',
  },
  SortTerm: { description: 'One term of an order, complete.' },
  Deprecation: { description: 'The announcement that something will be removed.' },
  Problem: {
    description:
      'A problem document (RFC 9457). Programs read `code`; `title` and `detail` are for people.',
  },
  RequestError: { description: 'One error of the request.' },
  Element: {
    description:
      'One record: each requested attribute, in the order of the request. NULL is `null`. ' +
      "What a value looks like follows from the attribute's type in the " +
      `catalogue:\n\n${wireTypes()}`,
    type: 'object',
    additionalProperties: true,
    examples: [{ name: 'Tokyo', population: '8336599' }],
  },
};

const LIST_MEMBERS: Readonly<Record<string, Texts>> = {
  query_model: { description: 'Name of the model, from the catalogue.', examples: ['cities'] },
  query_attributes: {
    description:
      'Names of the attributes to return, each once. A path along named references of the ' +
      `catalogue is one too, such as \`country.name\`: of at most ${RELATION_LIMITS.steps} ` +
      `references, and of at most ${RELATION_LIMITS.paths} paths in a request.`,
    uniqueItems: true,
    examples: [['name', 'population']],
  },
  query_filter: {
    $ref: '#/components/schemas/Filter',
    description: 'Which records to keep; all where absent.',
  },
  query_sort: {
    description:
      "The order, the first term first; the model's own where absent. " +
      "The model's key always comes last, so that every order is total.",
  },
  query_related: {
    description:
      'Counts and aggregates of the records that refer to each record. Each is an attribute of ' +
      'this request: `query_attributes`, `query_filter`, `query_sort`, `query_groups` and ' +
      '`query_aggregates` may name it. Only records that the token sees are looked at.',
    maxItems: RELATION_LIMITS.aggregates,
  },
  query_groups: {
    description:
      'Makes the list one of groups, by these attributes: by their names, or as objects ' +
      'where dates are cut to a part of time. NULL is a group. `query_attributes`, `query_sort` ' +
      'and `query_group_filter` name these and the aggregates; a part of time is named as in ' +
      '`placed_at.month`.',
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/GroupRequest' }] },
    minItems: 1,
    maxItems: GROUP_LIMITS.groups,
    examples: [['country.name', { attribute: 'placed_at', by: 'month' }]],
  },
  query_aggregates: { description: 'What is computed of the records of each group.' },
  query_group_filter: {
    $ref: '#/components/schemas/Filter',
    description: 'Which groups to keep; all where absent.',
  },
};

const QUERY_TOTAL: Texts = {
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

const ATTRIBUTE = { description: 'The attribute that was asked for.' };
const NULLS = { description: 'How many records have no value.' };
const ENDS = {
  min: {
    description:
      'The first value in the order of `query_sort`; `null` where there is none, ' +
      'absent where the attribute cannot be sorted by.',
  },
  max: { description: 'The last one.' },
};

const DATE = { format: 'date', examples: ['2026-01-31'] };

/** By schema and member, with limits that the contract's schemas do not state. */
export const MEMBERS: Readonly<Record<string, Readonly<Record<string, Texts>>>> = {
  QueryRequest: {
    ...LIST_MEMBERS,
    page: {
      description: 'The page to answer: by its number, or by a record that it holds.',
      oneOf: [
        { $ref: '#/components/schemas/PageRequest' },
        { $ref: '#/components/schemas/ContainingPage' },
      ],
    },
    query_total: QUERY_TOTAL,
  },
  ExportRequest: {
    ...LIST_MEMBERS,
    export_csv: { description: 'How CSV is written; only with `Accept: text/csv`.' },
  },
  WatchRequest: {
    ...LIST_MEMBERS,
    query_total: QUERY_TOTAL,
    watch_every_ms: {
      description: 'How many milliseconds are between two events at least; 1,000 where absent.',
      examples: [500],
    },
  },
  CsvRequest: {
    null: {
      description:
        'What stands for NULL, without quotes; a text that looks the same is quoted. ' +
        'By default the empty text, where the empty text itself is `""`.',
      examples: ['NULL'],
    },
    guard_formulas: {
      description:
        'Whether a text that a spreadsheet would run as a formula gets an apostrophe before it, ' +
        'which changes the data. Numbers stay as they are. It does not where absent.',
    },
  },
  PageRequest: {
    page: {
      description: 'Page number, from 1. A page past the end has no records and the real total.',
      examples: [3],
    },
    size: {
      description:
        'Records per page, up to `max_page_size` of the model. ' +
        'A larger one is refused, never cut.',
      examples: [10],
    },
  },
  ContainingPage: {
    containing: {
      description:
        "The record: a value for each attribute of the model's `key` in the catalogue, " +
        'in the form in which replies carry it. They are compared as `eq` compares.',
      type: 'object',
      additionalProperties: true,
      examples: [{ id: '17' }],
    },
    size: { description: 'Records per page, as for a page by its number.', examples: [10] },
  },
  SortRequest: {
    attribute: {
      description: 'What to sort by: an attribute that the catalogue calls sortable.',
      examples: ['population'],
    },
    direction: { description: 'Upwards or downwards; upwards where absent.' },
    nulls: { description: 'Where NULL is sorted. Where absent it counts as the largest value.' },
  },
  GroupRequest: {
    attribute: {
      description: 'An attribute whose `facets` in the catalogue has `values`.',
      examples: ['placed_at'],
    },
    by: {
      description:
        'The part of time that dates are cut to; the group is named by its first day, or by its ' +
        'first moment for hours. Weeks begin on Mondays.',
      examples: ['month'],
    },
    time_zone: {
      description:
        'The zone of the IANA time zone database in which instants are cut; UTC where absent. ' +
        'Hours are then local times with their offset.',
      examples: ['Europe/Paris'],
    },
  },
  AggregateRequest: {
    name: {
      description: 'Its member in the records: up to 63 letters, digits and underscores.',
      examples: ['revenue'],
    },
    op: {
      description: Object.entries(AGGREGATES)
        .map(([op, { meaning }]) => `\`${op}\`: ${meaning}.`)
        .join(' '),
    },
    attribute: {
      description: 'What it is of. Only `count` may do without.',
      examples: ['amount'],
    },
  },
  RelatedRequest: {
    name: {
      description:
        'Its member in the records: up to 63 letters, digits and underscores, and the name of ' +
        'no attribute of the model.',
      examples: ['invoices_count'],
    },
    related: {
      description: 'The related records, by an `inverse` of the catalogue.',
      examples: ['invoices'],
    },
    op: { description: 'As in `query_aggregates`. Of no records, counts are 0 and others NULL.' },
    attribute: {
      description: 'An attribute of the related model, or a path. Only `count` may do without.',
      examples: ['issued_at'],
    },
    filter: {
      $ref: '#/components/schemas/Filter',
      description: 'Which related records to look at; all where absent.',
    },
  },
  FacetsRequest: {
    query_model: { description: 'Name of the model, from the catalogue.', examples: ['cities'] },
    query_filter: {
      $ref: '#/components/schemas/Filter',
      description: 'Which records to look at; all where absent.',
    },
    query_facets: {
      description: 'The facets to answer.',
      minItems: 1,
      maxItems: FACET_LIMITS.facets,
    },
  },
  FacetRequest: {
    attribute: {
      description: 'An attribute whose `facets` in the catalogue has `values`, or `bins`.',
      examples: ['country_code'],
    },
    values: {
      description: 'How many values to return at most. Either this or `bins`.',
      examples: [20],
    },
    bins: {
      description:
        'Into how many even intervals to divide the values. There are fewer where the type has ' +
        'fewer bounds between the least and the greatest value.',
      examples: [20],
    },
    time_zone: {
      description:
        'The zone of the IANA time zone database whose local times, with their offset, show the ' +
        'bounds of bins of instants; UTC where absent.',
      examples: ['Europe/Paris'],
    },
    sort: {
      description:
        'The order of values: by their number of records, the most frequent first, as also ' +
        'where absent, or by themselves.',
    },
    query_filter: {
      $ref: '#/components/schemas/Filter',
      description: 'Which records to look at in place of those of the common filter.',
    },
  },
  FacetsReply: {
    facets: { description: 'The facets, in the order of the request.' },
    total: {
      description: 'How many records the common filter keeps, exactly.',
      examples: ['135233'],
    },
  },
  ValueFacet: {
    attribute: ATTRIBUTE,
    values: {
      description:
        'Values in wire form, each with its number of records: the total of the list with `eq` ' +
        'to the value. Of equal values the least text is shown.',
    },
    distinct: { description: 'How many different values there are; NULL is none.' },
    nulls: NULLS,
    ...ENDS,
  },
  BinFacet: {
    attribute: ATTRIBUTE,
    bins: {
      description:
        'Even intervals in order, each with the number of records whose value is from `from` to ' +
        'below `to`; the last one includes its `to`.',
    },
    nulls: NULLS,
    others: {
      description:
        'How many records have a value in no bin: NaN, infinities, and what is no date or number.',
    },
    ...ENDS,
    sum: {
      description:
        'The sum of all numbers in decimal digits, exact but for floating point numbers; ' +
        '`null` where there is none, absent for dates and times.',
    },
    average: { description: 'The sum divided by how many numbers there are, as `sum`.' },
  },
  QueryReply: {
    result: {
      description: 'The records of the page.',
      items: { $ref: '#/components/schemas/Element' },
    },
    page: { description: 'Paging metadata.' },
  },
  PageMetadata: {
    page: {
      description: 'The requested page number, or that of the page which holds the record.',
      examples: ['3'],
    },
    size: { description: 'The requested page size.', examples: ['10'] },
    total: {
      description:
        'How many records the whole list has, exactly. `null` only where `query_total` asks for ' +
        'none, or for a total up to fewer records.',
      examples: ['42'],
    },
    total_at_least: {
      description:
        "One more than `query_total`'s `up_to`, where the list has more records than that; " +
        'absent otherwise.',
      examples: ['10001'],
    },
    has_next: { description: 'Whether another page follows: `page × size < total`.' },
  },
  Catalogue: {
    models: { description: 'The models, by name.' },
    time_zones: {
      description: 'The edition of the IANA time zone database that `time_zone` is looked up in.',
      examples: ['2026c'],
    },
  },
  Model: {
    name: { description: 'What `query_model` names.', examples: ['cities'] },
    description: { description: 'What the operator says about it.' },
    attributes: { description: 'Its attributes, in the order of the table.' },
    key: {
      description: 'The attributes that together name one record and break every tie of an order.',
      examples: [['id']],
    },
    no_key: {
      description: 'Why `key` is empty; absent where it is not. A newer server may know more.',
      'x-extensible-enum': Object.keys(NO_KEY),
      examples: ['not_visible'],
    },
    label: {
      description:
        'The attribute by which people know a record, as the operator says; absent where nothing ' +
        'is said, or the token does not see it.',
      examples: ['name'],
    },
    default_sort: { description: 'The order of a request that asks for none; the key follows it.' },
    max_page_size: {
      description: 'The largest `page.size` that it answers.',
      minimum: 1,
      examples: [1000],
    },
    distributed: {
      description:
        'Whether its records are on several servers, or where the database does not promise one ' +
        'state of them: records and total of a reply may be of different states, and the header ' +
        '`Data-State` says `approximate`. Absent where they never are.',
    },
    references: {
      description:
        'Its foreign keys, as far as the token sees all attributes at both ends; ' +
        'absent where there is none. A record that is referred to may be hidden from the token.',
    },
    deprecated: { description: 'Announces that the model will be removed; absent otherwise.' },
  },
  Attribute: {
    name: { description: 'What `query_attributes` names.', examples: ['population'] },
    type: {
      description: 'The wire type: how values look in JSON. A newer server may know more of them.',
      'x-extensible-enum': Object.keys(WIRE_TYPES),
      examples: ['int64'],
    },
    items: {
      description: "The type of an array's items or a range's bounds; absent for other types.",
      examples: ['text'],
    },
    nullable: { description: 'Whether a value may be `null`.' },
    special_values: {
      description:
        'The words that may be among the numbers of a float64; absent where the database stores ' +
        'none, and for other types.',
      examples: [['NaN', 'Infinity', '-Infinity']],
    },
    misfits: {
      description:
        'Which values that are not of its type the database may hold; they travel as strings. ' +
        '`numbers`: digits among truth values; `any`: any text. A newer server may know more. ' +
        'Absent where there are none, and for types whose values are all strings.',
      examples: ['numbers'],
    },
    description: { description: 'What the operator says about it.' },
    operators: {
      description:
        'The filter operators that it takes; empty where it cannot be filtered on. ' +
        'A newer server may know more of them.',
      items: { type: 'string', 'x-extensible-enum': Object.keys(OPERATORS) },
    },
    sortable: { description: 'Whether a request may sort by it.' },
    facets: {
      description:
        'The facets that it has: `values`, `bins`, and `sum` where bins have a sum and an average.',
      items: { type: 'string', 'x-extensible-enum': ['values', 'bins', 'sum'] },
    },
    deprecated: { description: 'Announces that the attribute will be removed; absent otherwise.' },
  },
  Reference: {
    name: {
      description:
        'The first part of paths along it, as in `country.name`. Absent where none leads along ' +
        'it: a record might lead to several, or another reference would have the name.',
      examples: ['country'],
    },
    inverse: {
      description:
        'The name by which a filter of the model that is referred to asks for these records; ' +
        'absent where there is none.',
      examples: ['cities'],
    },
    attributes: { description: 'Attributes of this model.', examples: [['country_code']] },
    model: { description: 'The model that they refer to.', examples: ['countries'] },
    key: {
      description: 'Its attributes, in the same order. They name one record of it.',
      examples: [['code']],
    },
  },
  SortTerm: {
    attribute: { description: 'What it orders by.', examples: ['population'] },
    direction: { description: 'Upwards or downwards; upwards where absent.' },
    nulls: { description: 'Where NULL is sorted.' },
  },
  Deprecation: {
    since: {
      description: 'The date from which callers should use something else (RFC 3339 full-date).',
      ...DATE,
    },
    sunset: {
      description:
        'The date on which it will be removed (RFC 3339 full-date); `null` where that is open.',
      ...DATE,
    },
    note: { description: 'What to use instead.' },
  },
  Problem: {
    type: {
      description:
        'A URI reference to the page that explains the code: `/problems/<code>`, after the ' +
        'public URL of the service where that is known.',
      format: 'uri-reference',
      examples: ['/problems/size_too_large'],
    },
    title: { description: 'What the code means, always in the same words.' },
    status: { description: 'The status of the reply.', minimum: 400, maximum: 599 },
    detail: { description: 'What happened this time.' },
    code: {
      description:
        'The kind of problem. A code never changes its meaning; ' +
        'a newer server may send one that is not listed here.',
      'x-extensible-enum': Object.keys(PROBLEMS),
    },
    request_id: { description: "The reply's `X-Request-Id`: what to give the operator." },
    errors: {
      description: 'Every error of the request body; absent where the body has none.',
    },
  },
  RequestError: {
    pointer: {
      description: 'Where in the body (RFC 6901); empty for the body itself.',
      format: 'json-pointer',
      examples: ['/page/size'],
    },
    code: { description: 'The kind of error, from the same list as the code of a problem.' },
    detail: { description: 'A sentence for people.' },
    maximum: { description: 'The limit that was passed, where the error is a limit.' },
    did_you_mean: { description: 'A visible name that is close to the unknown one.' },
  },
};

function wireTypes(): string {
  const rows = Object.entries(WIRE_TYPES).map(
    ([name, { json, note, example }]) => `| \`${name}\` | ${json} | ${note} | \`${example}\` |`,
  );
  return ['| type | JSON | holds | example |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
