import type { WireType } from './wire-types.ts';

/** What a facet shows of an attribute: values with counts, their distribution, or their sum. */
export type FacetKind = 'values' | 'bins' | 'sum';

const COUNTED = ['values'] as const satisfies readonly FacetKind[];
const DIVIDED = ['values', 'bins'] as const satisfies readonly FacetKind[];
const ADDED = ['values', 'bins', 'sum'] as const satisfies readonly FacetKind[];

/** THE table of facets by wire type. */
const FACETS = {
  text: COUNTED,
  uuid: COUNTED,
  enum: COUNTED,
  int32: ADDED,
  int64: ADDED,
  decimal: ADDED,
  float64: ADDED,
  boolean: COUNTED,
  date: DIVIDED,
  time: DIVIDED,
  timestamp: DIVIDED,
  timestamp_tz: DIVIDED,
  interval: COUNTED,
  inet: COUNTED,
  range: [],
  bytes: [],
  json: [],
  array: COUNTED,
  any: COUNTED,
  other: [],
} as const satisfies Readonly<Record<WireType, readonly FacetKind[]>>;

/** The wire types of attributes that have a facet of a kind. */
export type TypeWithFacet<Kind extends FacetKind> = {
  [Type in WireType]: Kind extends (typeof FACETS)[Type][number] ? Type : never;
}[WireType];

/** The facets of an attribute. An array is one value, if its items can be values. */
export function facetsOf(type: WireType, items?: WireType): readonly FacetKind[] {
  return items !== undefined && FACETS[items].length === 0 ? [] : FACETS[type];
}
