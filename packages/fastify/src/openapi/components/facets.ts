import {
  binFacetSchema,
  facetRequestSchema,
  facetsReplySchema,
  facetsRequestSchema,
  valueFacetSchema,
} from '@proj/contract';

import { FILTER } from '../filter-schema.ts';
import { component, type Components, type Members } from '../schema.ts';

const ATTRIBUTE = 'The attribute that was asked for.';
const NULLS = 'How many records have no value.';

const ENDS: Members = {
  min:
    'The first value in the order of `query_sort`; `null` where there is none, ' +
    'absent where the attribute cannot be sorted by.',
  max: 'The last one.',
};

export const FACETS: Components = {
  FacetsRequest: component(facetsRequestSchema, {
    itself: 'Asks what attributes of a list hold. Members that are not named here are refused.',
    query_model: ['Name of the model, from the catalogue.', 'cities'],
    query_filter: { ...FILTER, description: 'Which records to look at; all where absent.' },
    query_related: 'As in a query; filters and facets may name them.',
    query_facets: 'The facets to answer.',
  }),
  FacetRequest: component(facetRequestSchema, {
    itself: 'Asks for values or for bins of one attribute.',
    attribute: [
      'An attribute whose `facets` in the catalogue has `values`, or `bins`.',
      'country_code',
    ],
    values: ['How many values to return at most. Either this or `bins`.', 20],
    bins: [
      'Into how many even intervals to divide the values. There are fewer where the type has ' +
        'fewer bounds between the least and the greatest value.',
      20,
    ],
    time_zone: [
      'The zone of the IANA time zone database whose local times, with their offset, show the ' +
        'bounds of bins of instants; UTC where absent.',
      'Europe/Paris',
    ],
    sort:
      'The order of values: by their number of records, the most frequent first, as also ' +
      'where absent, or by themselves.',
    query_filter: {
      ...FILTER,
      description: 'Which records to look at in place of those of the common filter.',
    },
  }),
  FacetsReply: component(facetsReplySchema, {
    itself: 'The facets in the order of the request, all from one snapshot of the data.',
    facets: 'The facets, in the order of the request.',
    total: ['How many records the common filter keeps, exactly.', '135233'],
  }),
  ValueFacet: component(valueFacetSchema, {
    itself: 'How often an attribute has which value.',
    attribute: ATTRIBUTE,
    values:
      'Values in wire form, each with its number of records: the total of the list with `eq` ' +
      'to the value. Of equal values the least text is shown.',
    distinct: 'How many different values there are; NULL is none.',
    nulls: NULLS,
    ...ENDS,
  }),
  BinFacet: component(binFacetSchema, {
    itself: 'How the values of an attribute are distributed.',
    attribute: ATTRIBUTE,
    bins:
      'Even intervals in order, each with the number of records whose value is from `from` to ' +
      'below `to`; the last one includes its `to`.',
    nulls: NULLS,
    others:
      'How many records have a value in no bin: NaN, infinities, and what is no date or number.',
    ...ENDS,
    sum:
      'The sum of all numbers in decimal digits, exact but for floating point numbers; ' +
      '`null` where there is none, absent for dates and times.',
    average: 'The sum divided by how many numbers there are, as `sum`.',
  }),
};
