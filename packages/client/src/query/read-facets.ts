import { API_PATHS, facetsBody } from '@proj/contract';

import type { AnyFacetsQuery } from '../options/facets-query.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { checkFacets } from './check-facets.ts';
import type { BinFacet, Facets, ValueFacet } from './facets.ts';
import type { ConvertRecords } from './int64.ts';
import { readShown, type ReadShownParts } from './read-shown.ts';

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
  const { facets, total } = checkFacets(query, body);
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
  const ends = { min: min ?? null, max: max ?? null };
  if (!('bins' in facet)) {
    const counted = facet.values.map(({ count }, index) => ({ value: rest[index], count }));
    return { ...facet, ...ends, values: counted };
  }
  const bins = facet.bins.map(({ count }, index) => ({
    from: rest[2 * index],
    to: rest[2 * index + 1],
    count,
  }));
  return { ...facet, ...ends, bins };
}
