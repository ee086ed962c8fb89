import { facetsOf } from './facet-types.ts';
import type { Filter } from './filter.ts';
import { SORTABLE_TYPES } from './operators.ts';
import type { WireType } from './wire-types.ts';

interface AggregateFacts {
  readonly attribute: 'optional' | 'required';
  readonly meaning: string;
}

/** THE table of aggregates. */
export const AGGREGATES = {
  count: {
    attribute: 'optional',
    meaning: 'how many records the group has, or those of them whose attribute is not NULL: int64',
  },
  count_distinct: {
    attribute: 'required',
    meaning: 'how many values the attribute has, as `eq` compares them: int64',
  },
  sum: { attribute: 'required', meaning: 'the sum of numbers: decimal' },
  average: { attribute: 'required', meaning: 'the average of numbers: decimal' },
  min: {
    attribute: 'required',
    meaning: 'the first value in the order of `query_sort`; not of labels (`enum`)',
  },
  max: { attribute: 'required', meaning: 'the last value; not of labels either' },
} as const satisfies Record<string, AggregateFacts>;

/** The name of an aggregate. */
export type AggregateOp = keyof typeof AGGREGATES;

/** The parts of time by which dates are grouped, the largest first; weeks begin on Mondays. */
export const DATE_UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const;

/** A part of time by which dates are grouped. */
export type DateUnit = (typeof DATE_UNITS)[number];

/** The most attributes and aggregates of one request. */
export const GROUP_LIMITS = { groups: 5, aggregates: 10 } as const;

/** Whether records can be grouped by an attribute and its values be compared. */
export function isGroupable(type: WireType, items?: WireType): boolean {
  return facetsOf(type, items).includes('values');
}

/** The units by which an attribute of a type is grouped; none unless it is a date. */
export function unitsOf(type: WireType): readonly DateUnit[] {
  if (type === 'timestamp' || type === 'timestamp_tz') return DATE_UNITS;
  return type === 'date' ? DATE_UNITS.filter((unit) => unit !== 'hour') : [];
}

/** In the order of the table. */
export function aggregatesOf(type: WireType, items?: WireType): AggregateOp[] {
  // Databases disagree on the first label: some order labels by letters, others by places.
  const hasExtremes = SORTABLE_TYPES.has(type) && type !== 'enum';
  const has: Record<AggregateOp, boolean> = {
    count: true,
    count_distinct: isGroupable(type, items),
    sum: facetsOf(type).includes('sum'),
    average: facetsOf(type).includes('sum'),
    min: hasExtremes,
    max: hasExtremes,
  };
  return aggregateOps().filter((op) => has[op]);
}

/** All aggregates, in the order of the table. */
export function aggregateOps(): AggregateOp[] {
  return Object.keys(AGGREGATES) as AggregateOp[];
}

/** A group attribute as a request names it. */
export interface GroupRequest {
  readonly attribute: string;
  /** The part of time that dates are cut to. */
  readonly by?: DateUnit | undefined;
  /** Of the IANA time zone database, for instants. Default: UTC. */
  readonly time_zone?: string | undefined;
}

/** What groups are made of. */
export interface GroupTerms {
  readonly by: readonly (string | GroupRequest)[];
  /** By member name. */
  readonly aggregates: Readonly<
    Record<string, { readonly op: AggregateOp; readonly attribute?: string | undefined }>
  >;
}

/** Counts and aggregates of the records that refer to a record, by member name. */
export type RequestedRelated = Readonly<
  Record<
    string,
    {
      /** An `inverse` of the catalogue. */
      readonly related: string;
      readonly op: AggregateOp;
      readonly attribute?: string | undefined;
      readonly filter?: Filter | undefined;
    }
  >
>;

/** The name of a group attribute in records, filters and sorts: `placed_at.month`. */
export function groupName({ attribute, by }: GroupRequest): string {
  return by === undefined ? attribute : `${attribute}.${by}`;
}
