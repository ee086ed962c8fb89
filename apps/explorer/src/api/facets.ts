import type {
  AttributeEntry,
  BinFacet,
  FacetsQuery,
  ModelEntry,
  ValueFacet,
  WithRelated,
} from '@proj/client';
import type { RequestedRelated } from '@proj/contract';

import { jsonText } from '../values/exact-record.ts';
import { browseClient } from './clients.ts';

/** What an attribute holds. Values are JSON texts. */
export interface Facet {
  readonly attribute: string;
  readonly values?: readonly { readonly value: string; readonly count: bigint }[];
  readonly distinct?: bigint;
  readonly bins?: readonly FacetBin[];
  /** Values that are in no range, such as NaN. */
  readonly others?: bigint;
  readonly nulls: bigint;
  readonly min: string | null;
  readonly max: string | null;
  readonly sum: string | null;
  readonly average: string | null;
}

/** A range of values, from `from` to below `to`; the last one with its `to`. */
export interface FacetBin {
  readonly from: string;
  readonly to: string;
  readonly count: bigint;
}

/** The facets of a list, all of one state of the data. */
export interface FacetsReading {
  readonly facets: readonly Facet[];
  readonly total: bigint;
}

/**
 * Whether values of an attribute are counted, or ranges of it; undefined for neither. What refers
 * to records is a name, even where it is a number: it has no ranges.
 */
export function facetKind(
  { references = [] }: ModelEntry,
  attribute: AttributeEntry | undefined,
): 'values' | 'bins' | undefined {
  const facets = attribute?.facets ?? [];
  const isReference = references.some(({ attributes }) =>
    attributes.includes(attribute?.name ?? ''),
  );
  const kinds = isReference ? (['values'] as const) : (['bins', 'values'] as const);
  return kinds.find((kind) => facets.includes(kind));
}

/** What facets are asked for with. */
export type AskedFacets = FacetsQuery & WithRelated<RequestedRelated>;

/** Reads facets with one request. */
export async function readFacets(query: AskedFacets, signal: AbortSignal): Promise<FacetsReading> {
  const { facets, total } = await browseClient.facets(query, { signal });
  return { facets: facets.map(facetFrom), total };
}

function facetFrom(facet: ValueFacet | BinFacet): Facet {
  const { attribute, nulls } = facet;
  const common = { attribute, nulls, min: endText(facet.min), max: endText(facet.max) };
  if ('values' in facet) {
    const { values, distinct } = facet;
    const texts = values.map(({ value, count }) => ({ value: jsonText(value), count }));
    return { ...common, values: texts, distinct, sum: null, average: null };
  }
  const { others, sum, average } = facet;
  const bins = facet.bins.map(({ from, to, count }) => ({
    from: jsonText(from),
    to: jsonText(to),
    count,
  }));
  return { ...common, bins, others, sum, average };
}

function endText(value: unknown): string | null {
  return value === null ? null : jsonText(value);
}
