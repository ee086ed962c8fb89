import { type FacetRequest, type Filter, readFacetsRequest } from '@proj/contract';

import { type Answer, json, problem, refused } from './answer.ts';
import type { CityRecord, Model } from './cities.ts';
import { compare } from './compare.ts';
import { matches } from './matches.ts';

/** Answers the body of a request for facets; bins are of whole numbers. */
export function answerFacets(body: unknown, { entry, records }: Model): Answer {
  const reading = readFacetsRequest(body);
  if (!reading.ok) return refused(reading.errors);
  const { query_filter: filter, query_facets } = reading.request;
  const errors = query_facets.flatMap((facet, index) => {
    const { facets = [] } = entry.attributes.find(({ name }) => name === facet.attribute) ?? {};
    if (facets.includes(facet.bins ? 'bins' : 'values')) return [];
    const pointer = `/query_facets/${index}/attribute`;
    return [{ pointer, code: 'not_facetable', detail: 'No such facet.' }];
  });
  if (errors.length > 0) return problem('not_facetable', { errors });
  const keptBy = (own: Filter | undefined): readonly CityRecord[] =>
    records.filter(
      (record) => own === undefined || matches(own, record, { entry, slips: {} }) === true,
    );
  const facets = query_facets.map((facet) => {
    const { attribute, query_filter: own = filter } = facet;
    const kept = keptBy(own);
    const type = entry.attributes.find(({ name }) => name === attribute)?.type ?? '';
    const values = presentOf(kept, attribute).toSorted((a, b) => compare(a, b, type));
    const nulls = String(kept.length - values.length);
    const common = { nulls, min: values[0] ?? null, max: values.at(-1) ?? null };
    return {
      attribute,
      ...common,
      ...(facet.bins ? binsOf(values, facet) : valuesOf(values, facet)),
    };
  });
  return json(200, { facets, total: String(keptBy(filter).length) });
}

function presentOf(records: readonly CityRecord[], attribute: string): unknown[] {
  return records.map((record) => record[attribute]).filter((value) => value !== null);
}

/** The values come in their order. */
function valuesOf(
  values: readonly unknown[],
  { values: limit = 0, sort = 'count' }: FacetRequest,
): object {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const found = [...counts]
    .toSorted(([, one], [, other]) => (sort === 'count' ? other - one : 0))
    .map(([value, count]) => ({ value, count: String(count) }));
  return { values: found.slice(0, limit), distinct: String(counts.size) };
}

function binsOf(values: readonly unknown[], { bins: wanted = 1 }: FacetRequest): object {
  const numbers = values.map(Number);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const bounds = Array.from({ length: wanted + 1 }, (_, place) =>
    Math.floor(first + ((last - first) * place) / wanted),
  );
  const bins = bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? to;
    const isLast = index === wanted - 1;
    const within = numbers.filter((one) => one >= from && (isLast ? one <= to : one < to));
    return { from: String(from), to: String(to), count: String(within.length) };
  });
  return { bins, others: '0' };
}
