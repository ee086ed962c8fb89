import type { AttributeEntry, Filter } from '@proj/client';
import { API_PATHS, type BinFacet, type FacetsReply, type ValueFacet } from '@proj/contract';

import { refuseToken } from '../session/session.ts';
import { BASE_URL, token } from './clients.ts';

const FACETS_URL = new URL(API_PATHS.facets, BASE_URL).href;

/** One facet that is asked for: the values of an attribute, or ranges of them. */
export interface FacetQuery {
  readonly attribute: string;
  readonly values?: number;
  readonly bins?: number;
  /** In place of the common filter. */
  readonly filter?: Filter;
}

/** Facets that are asked for at once. */
export interface FacetsQuery {
  readonly model: string;
  readonly filter?: Filter;
  readonly facets: readonly FacetQuery[];
}

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

/** Whether the service counts values of an attribute, or ranges of it; undefined for neither. */
export function facetKind(attribute: AttributeEntry | undefined): 'values' | 'bins' | undefined {
  const facets = attribute?.facets ?? [];
  const kinds = ['bins', 'values'] as const;
  return kinds.find((kind) => facets.includes(kind));
}

/** Reads facets with one request. */
export async function readFacets(query: FacetsQuery, signal: AbortSignal): Promise<FacetsReading> {
  const response = await fetch(FACETS_URL, {
    method: 'POST',
    headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(requestOf(query)),
    signal,
  });
  if (response.status === 401) refuseToken();
  const reply: unknown = await response.json();
  if (!response.ok) throw new Error(`The service answered ${response.status}. ${detailOf(reply)}`);
  // The service checks its replies against this type in tests of its own.
  const { facets, total } = reply as FacetsReply;
  return { facets: facets.map(facetFrom), total: BigInt(total) };
}

function requestOf({ model, filter, facets }: FacetsQuery): object {
  return {
    query_model: model,
    ...(filter && { query_filter: filter }),
    query_facets: facets.map(({ filter: own, ...facet }) => ({
      ...facet,
      ...(own && { query_filter: own }),
    })),
  };
}

function facetFrom(facet: ValueFacet | BinFacet): Facet {
  const { attribute, nulls, min, max } = facet;
  const common = { attribute, nulls: BigInt(nulls), min: jsonText(min), max: jsonText(max) };
  if ('values' in facet) {
    const values = facet.values.map(({ value, count }) => ({
      value: JSON.stringify(value),
      count: BigInt(count),
    }));
    return { ...common, values, distinct: BigInt(facet.distinct), sum: null, average: null };
  }
  const bins = facet.bins.map(({ from, to, count }) => ({
    from: JSON.stringify(from),
    to: JSON.stringify(to),
    count: BigInt(count),
  }));
  const { others, sum = null, average = null } = facet;
  return { ...common, bins, others: BigInt(others), sum, average };
}

function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

function detailOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'detail' in problem
    ? String(problem.detail)
    : '';
}
