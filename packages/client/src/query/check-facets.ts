import {
  type BinFacet as BinReply,
  facetsReplySchema,
  type ValueFacet as ValueReply,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { AnyFacetsQuery, FacetQuery } from '../options/facets-query.ts';
import { MOST_DIGITS } from './check-reply.ts';
import type { BinFacet, ValueFacet } from './facets.ts';
import { readBody } from './read-body.ts';

export interface CheckedFacets {
  readonly facets: (ValueFacet | BinFacet)[];
  readonly total: bigint;
}

/**
 * Checks that a reply answers the request, and that its numbers agree: all are of one state.
 *
 * @throws {InvalidReplyError} at the first mismatch.
 */
export function checkFacets({ facets: asked }: AnyFacetsQuery, body: unknown): CheckedFacets {
  const reply = readBody(facetsReplySchema, body);
  if (reply.facets.length !== asked.length)
    throw invalid('/facets', `${asked.length} facets as requested`, reply.facets.length);
  const total = readCount('/total', reply.total);
  const facets = asked.map((query, index) => {
    const place = `/facets/${index}`;
    const facet = reply.facets[index];
    if (facet?.attribute !== query.attribute)
      throw invalid(`${place}/attribute`, describeValue(query.attribute), facet?.attribute);
    const isBins = 'bins' in query;
    if (isBins !== 'bins' in facet)
      throw invalid(place, isBins ? 'bins as requested' : 'values as requested', undefined);
    const found = 'bins' in facet ? binFacet(facet, place) : valueFacet(facet, place);
    checkSum(query, found, { place, total });
    return found;
  });
  return { facets, total };
}

function valueFacet({ values, distinct, nulls, ...rest }: ValueReply, place: string): ValueFacet {
  return {
    ...ends(rest),
    values: values.map(({ value, count }, index) => ({
      value,
      count: readCount(`${place}/values/${index}/count`, count),
    })),
    distinct: readCount(`${place}/distinct`, distinct),
    nulls: readCount(`${place}/nulls`, nulls),
  };
}

function binFacet({ bins, others, nulls, ...rest }: BinReply, place: string): BinFacet {
  const { sum = null, average = null } = rest;
  return {
    ...ends(rest),
    bins: bins.map(({ from, to, count }, index) => ({
      from,
      to,
      count: readCount(`${place}/bins/${index}/count`, count),
    })),
    nulls: readCount(`${place}/nulls`, nulls),
    others: readCount(`${place}/others`, others),
    sum,
    average,
  };
}

function ends({ attribute, min = null, max = null }: Pick<BinReply, 'attribute' | 'min' | 'max'>) {
  return { attribute, min, max };
}

/** A facet of the common filter covers all its records, unless there are more values than asked. */
function checkSum(
  query: FacetQuery,
  facet: ValueFacet | BinFacet,
  { place, total }: { readonly place: string; readonly total: bigint },
): void {
  const parts = 'bins' in facet ? facet.bins : facet.values;
  const limit = 'bins' in query ? query.bins : query.values;
  if (parts.length > limit)
    throw invalid(place, `at most ${limit} of them as requested`, parts.length);
  const others = 'bins' in facet ? facet.others : 0n;
  const sum = parts.reduce((added, { count }) => added + count, facet.nulls + others);
  const isWhole = 'bins' in facet || facet.distinct === BigInt(parts.length);
  if ('distinct' in facet && BigInt(parts.length) !== least(facet.distinct, BigInt(limit)))
    throw invalid(`${place}/values`, `as many as there are, up to ${limit}`, parts.length);
  if (query.filter === undefined && (isWhole ? sum !== total : sum >= total))
    throw invalid(place, `the ${total} records of the total`, String(sum));
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function readCount(pointer: string, digits: string): bigint {
  if (digits.length > MOST_DIGITS) throw invalid(pointer, `at most ${MOST_DIGITS} digits`, digits);
  return BigInt(digits);
}

function invalid(pointer: string, expected: string, got: unknown): InvalidReplyError {
  return new InvalidReplyError({ pointer, expected, got: describeValue(got) });
}
