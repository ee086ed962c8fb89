import { type Filter, operatorsOf, type WireType } from '@proj/contract';
import { type Engine, EVERYTHING, type Grant } from '@proj/engine';
import { expect } from 'vitest';

interface Counted {
  readonly count: string;
}

/** A facet as it travels, of either kind. */
export interface Facet {
  readonly attribute: string;
  readonly values?: readonly (Counted & { readonly value: unknown })[];
  readonly bins?: readonly (Counted & { readonly from: unknown; readonly to: unknown })[];
  readonly distinct?: string;
  readonly nulls: string;
  readonly others?: string;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly sum?: string | null;
  readonly average?: string | null;
}

export interface FacetsReply {
  readonly facets: readonly Facet[];
  readonly total: string;
}

/** What one asks an engine for. */
export interface FacetsRequest {
  readonly model: string;
  readonly facets: readonly object[];
  readonly filter?: unknown;
}

/** The body of a request for facets. */
export function facetsBody({ model, facets, filter }: FacetsRequest): unknown {
  return {
    query_model: model,
    query_facets: facets,
    ...(filter !== undefined && { query_filter: filter }),
  };
}

export async function askFacets(
  engine: Engine,
  request: FacetsRequest,
  grant: Grant = EVERYTHING,
): Promise<FacetsReply> {
  const { json } = await engine.facets(facetsBody(request), grant);
  return JSON.parse(json) as FacetsReply;
}

/** The list that facets are of. */
export interface CheckedList {
  readonly engine: Engine;
  readonly model: string;
  readonly grant?: Grant;
  readonly filter?: Filter;
  /** Values of which none is found by `eq`, such as a text in a column of numbers. */
  readonly isUnfound?: (value: unknown) => boolean;
}

/** The first and the last value of a list in the order of an attribute, and its total. */
async function listed(
  { engine, model, grant = EVERYTHING, filter }: CheckedList,
  { attribute, where, direction }: { attribute: string; where?: Filter; direction?: string },
): Promise<{ readonly total: string; readonly first: unknown }> {
  const conditions = [filter, where].filter((one) => one !== undefined);
  const { result, page } = await engine.query(
    {
      query_model: model,
      query_attributes: [attribute],
      page: { page: 1, size: 1 },
      ...(conditions.length > 0 && { query_filter: { and: conditions } }),
      ...(direction !== undefined && { query_sort: [{ attribute, direction }] }),
    },
    grant,
  );
  const [record] = JSON.parse(result) as Record<string, unknown>[];
  return { total: page.total ?? '', first: record?.[attribute] };
}

/** Holds a facet of values to the list: each count is the total of the records with the value. */
export async function checkValues(list: CheckedList, facet: Facet, type: WireType): Promise<void> {
  const { attribute, values = [], nulls } = facet;
  const canFilter = operatorsOf(type).includes('eq');
  const found = values.filter(({ value }) => list.isUnfound?.(value) !== true);
  for (const { value, count } of canFilter ? found : []) {
    const { total } = await listed(list, { attribute, where: { attribute, op: 'eq', value } });
    expect([value, count]).toEqual([value, total]);
  }
  const isNull: Filter = { attribute, op: 'is_null', value: true };
  expect(nulls).toBe((await listed(list, { attribute, where: isNull })).total);
  await checkEnds(list, facet, canFilter);
  const { total } = await listed(list, { attribute });
  const counted = values.reduce((sum, { count }) => sum + BigInt(count), BigInt(nulls));
  if (BigInt(facet.distinct ?? -1) === BigInt(values.length)) expect(String(counted)).toBe(total);
  else expect(counted).toBeLessThan(BigInt(total));
}

async function checkEnds(list: CheckedList, facet: Facet, isSortable: boolean): Promise<void> {
  const { attribute } = facet;
  if (!isSortable) {
    expect([facet.min, facet.max]).toEqual([undefined, undefined]);
    return;
  }
  const where: Filter = { attribute, op: 'is_null', value: false };
  const ends = await Promise.all(
    ['asc', 'desc'].map((direction) => listed(list, { attribute, where, direction })),
  );
  expect([facet.min, facet.max].map(place)).toEqual(ends.map(({ first = null }) => place(first)));
}

/** The same for values that have one place in any order: 0 and -0, texts of some collations. */
function place(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'string') return value;
  const isDecimal = /^-?\d+(\.\d+)?$/.test(value);
  return isDecimal
    ? Number(value) + 0
    : value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Holds a facet of bins to the list: each count is the total of the records between its bounds. */
export async function checkBins(list: CheckedList, facet: Facet): Promise<void> {
  const { attribute, bins = [], nulls, others = '' } = facet;
  for (const [index, { from, to, count }] of bins.entries()) {
    const upper = index === bins.length - 1 ? 'lte' : 'lt';
    const where: Filter = {
      and: [
        { attribute, op: 'gte', value: from },
        { attribute, op: upper, value: to },
      ],
    };
    const { total } = await listed(list, { attribute, where });
    expect([from, to, count]).toEqual([from, to, total]);
    if (index > 0) expect(from).toEqual(bins[index - 1]?.to);
  }
  await checkEnds(list, facet, true);
  const counted = bins.reduce((sum, { count }) => sum + BigInt(count), BigInt(nulls));
  const { total } = await listed(list, { attribute });
  expect(String(counted + BigInt(others))).toBe(total);
}
