import {
  binFacetSchema,
  facetRequestSchema,
  facetsReplySchema,
  facetsRequestSchema,
  valueFacetSchema,
} from '@proj/contract';

import { FILTER } from '../filter-schema.ts';
import type { Components, Members } from '../schema.ts';

const ATTRIBUTE = 'The attribute that was asked for.';
const NULLS = 'How many records have no value.';

const ENDS: Members = {
  min:
    'The first value in the order of `query_sort`; `null` where there is none, ' +
    'absent where the attribute cannot be sorted by.',
  max: 'The last one.',
};

export const FACETS: Components = {
  FacetsRequest: {
    of: facetsRequestSchema,
    meaning: 'Asks what attributes of a list hold. Members that are not named here are refused.',
    members: {
      query_model: ['Name of the model, from the catalogue.', 'cities'],
      query_filter: { ...FILTER, description: 'Which records to look at; all where absent.' },
      query_related: 'As in a query; filters and facets may name them.',
      query_facets: 'The facets to answer.',
    },
  },
  FacetRequest: {
    of: facetRequestSchema,
    meaning: 'Asks for values or for bins of one attribute.',
    members: {
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
    },
  },
  FacetsReply: {
    of: facetsReplySchema,
    meaning: 'The facets in the order of the request, all from one snapshot of the data.',
    members: {
      facets: 'The facets, in the order of the request.',
      total: ['How many records the common filter keeps, exactly.', '135233'],
    },
  },
  ValueFacet: {
    of: valueFacetSchema,
    meaning: 'How often an attribute has which value.',
    members: {
      attribute: ATTRIBUTE,
      values:
        'Values in wire form, each with its number of records: the total of the list with `eq` ' +
        'to the value. Of equal values the least text is shown.',
      distinct: 'How many different values there are; NULL is none.',
      nulls: NULLS,
      ...ENDS,
    },
  },
  BinFacet: {
    of: binFacetSchema,
    meaning: 'How the values of an attribute are distributed.',
    members: {
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
    },
  },
};
