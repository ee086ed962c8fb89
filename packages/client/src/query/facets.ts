import {
  API_PATHS,
  type BinFacet as BinReply,
  facetsBody,
  facetsReplySchema,
  type ValueFacet as ValueReply,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import { readBody } from '../http/body.ts';
import type { RequestOptions } from '../options/client-options.ts';
import type { AnyFacetsQuery, BinsQuery, FacetQuery } from '../options/facets-query.ts';
import type { ModelName, ValueAt } from '../options/models.ts';
import { MOST_DIGITS } from './check-reply.ts';
import type { ConvertRecords } from './int64.ts';
import { readShown, type ReadShownParts } from './read-shown.ts';

export interface FacetFacts<Value> {
  readonly attribute: string;
  /** How many records have no value. */
  readonly nulls: bigint;
  /** In the order of `sort`; `null` without values, and for arrays, which have no order. */
  readonly min: Value | null;
  readonly max: Value | null;
}

/** How often an attribute has which value. */
export interface ValueFacet<Value = unknown> extends FacetFacts<Value> {
  /** In the order that was asked for; each with the number of records that `eq` finds. */
  readonly values: readonly { readonly value: Value; readonly count: bigint }[];
  readonly distinct: bigint;
}

/** How the values of an attribute are distributed. */
export interface BinFacet<Value = unknown> extends FacetFacts<Value> {
  /** In order: each from `from` to below `to`, the last one with its `to`. */
  readonly bins: readonly { readonly from: Value; readonly to: Value; readonly count: bigint }[];
  /** How many records have a value in no bin, such as NaN. */
  readonly others: bigint;
  /** Decimal digits, `NaN` or `±Infinity`; `null` without numbers, and for dates and times. */
  readonly sum: string | null;
  readonly average: string | null;
}

export type FacetFor<Models, Model extends ModelName<Models>, Query> =
  Query extends Pick<FacetQuery<Models, Model>, 'attribute'>
    ? Query extends Pick<BinsQuery, 'bins'>
      ? BinFacet<NonNullable<ValueAt<Models, Model, Query['attribute']>>>
      : ValueFacet<NonNullable<ValueAt<Models, Model, Query['attribute']>>>
    : never;

/** From one state of the data, in the order of the request. */
export interface Facets<All extends readonly unknown[] = readonly (ValueFacet | BinFacet)[]> {
  readonly facets: All;
  /** How many records the common filter keeps. */
  readonly total: bigint;
  /** As `Page.dataVersion`. */
  readonly dataVersion: string | null;
  /** As `Page.dataAge`. */
  readonly dataAge: number | null;
  /** As `Page.isApproximate`. */
  readonly isApproximate: boolean;
}

export interface ReadFacetsParts extends ReadShownParts {
  readonly convert: ConvertRecords;
}

/** @throws {DynamicQueryError} of the kinds that one request has, or the signal's reason. */
export async function readFacets(
  parts: ReadFacetsParts,
  query: AnyFacetsQuery,
  options: RequestOptions,
): Promise<Facets> {
  const request = { path: API_PATHS.facets, body: facetsBody(query) };
  const { body, ...state } = await readShown(parts, request, options);
  const { facets, total } = checkFacets(query, body, state);
  const converted = [];
  for (const facet of facets) converted.push(await convertFacet(parts, { query, facet }, options));
  return { facets: converted, total, ...state };
}

/** Converts the values as if each were in a record of its own. */
async function convertFacet(
  { convert }: ReadFacetsParts,
  { query, facet }: { readonly query: AnyFacetsQuery; readonly facet: ValueFacet | BinFacet },
  options: RequestOptions,
): Promise<ValueFacet | BinFacet> {
  const { model, related } = query;
  const { attribute } = facet;
  const values =
    'bins' in facet
      ? facet.bins.flatMap(({ from, to }) => [from, to])
      : facet.values.map(({ value }) => value);
  const records = [facet.min, facet.max, ...values].map((value) =>
    Object.fromEntries([[attribute, value]]),
  );
  const list = { model, attributes: [attribute], ...(related && { related }) };
  await convert(list, records, options);
  const [min, max, ...rest] = records.map((record) => record[attribute]);
  const extremes = { min: min ?? null, max: max ?? null };
  if (!('bins' in facet)) {
    const counted = facet.values.map(({ count }, index) => ({ value: rest[index], count }));
    return { ...facet, ...extremes, values: counted };
  }
  const bins = facet.bins.map(({ count }, index) => ({
    from: rest[2 * index],
    to: rest[2 * index + 1],
    count,
  }));
  return { ...facet, ...extremes, bins };
}

export interface CheckedFacets {
  readonly facets: (ValueFacet | BinFacet)[];
  readonly total: bigint;
}

/**
 * Checks that a reply answers the request, and that its numbers agree: all are of one state, unless
 * it is approximate.
 *
 * @throws {InvalidReplyError} at the first mismatch.
 */
export function checkFacets(
  { facets: asked }: AnyFacetsQuery,
  body: unknown,
  { isApproximate = false }: { readonly isApproximate?: boolean } = {},
): CheckedFacets {
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
    checkLength(query, found, place);
    if (!isApproximate) checkSum(query, found, { place, total });
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

function checkLength(query: FacetQuery, facet: ValueFacet | BinFacet, place: string): void {
  const { length } = partsOf(facet);
  const limit = 'bins' in query ? query.bins : query.values;
  if (length > limit) throw invalid(place, `at most ${limit} of them as requested`, length);
}

function partsOf(facet: ValueFacet | BinFacet): readonly { readonly count: bigint }[] {
  return 'bins' in facet ? facet.bins : facet.values;
}

/** A facet of the common filter covers all its records, unless there are more values than asked. */
function checkSum(
  query: FacetQuery,
  facet: ValueFacet | BinFacet,
  { place, total }: { readonly place: string; readonly total: bigint },
): void {
  const parts = partsOf(facet);
  const limit = 'bins' in query ? query.bins : query.values;
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
