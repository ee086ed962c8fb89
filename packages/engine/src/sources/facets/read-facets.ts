import { hash } from 'node:crypto';

import type { Field } from '../../catalogue/field.ts';
import { QueryFailedError } from '../../errors.ts';
import { addScaled, decimalDigits, printScaled, readScaled, trimScaled } from '../../decimals.ts';
import type { BinsShape, FacetStatements, ListFields } from '../../sql/query-statements.ts';
import type { FacetValues } from '../../sql/dialect.ts';
import { bind, type Statement } from '../../sql/statement.ts';
import type { Versioned, SnapshotRule } from '../reads/snapshot.ts';
import { evenBounds, floatDivisor, type Range, textOf } from './bounds.ts';

interface FoundValues {
  readonly kind: 'values';
  /** The JSON text of an array of values and counts, as it is sent. */
  readonly values: string;
  readonly distinct: bigint;
}

export interface FoundBins {
  readonly kind: 'bins';
  /** JSON texts, in order, one more than there are bins; none where there is no bin. */
  readonly bounds: readonly string[];
  readonly counts: readonly bigint[];
  readonly others: bigint;
  /** Undefined where the values are not added. */
  readonly sum: { readonly text: string | undefined; readonly numbers: bigint } | undefined;
}

interface FoundCommon {
  readonly nulls: bigint;
  readonly total: bigint;
  /** The JSON texts of the least and the greatest value; undefined where there is none. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

export type FoundFacet = FoundCommon & (FoundValues | FoundBins);

export interface FacetsRead extends Versioned {
  /** In the order of the statement; undefined where their texts are too long. */
  readonly facets: readonly FoundFacet[] | undefined;
  /** How many records the common filter keeps; undefined where a facet is of them. */
  readonly total: bigint | undefined;
}

/** The JSON texts of the lists that a statement selects; NULL for one that was not read. */
type Texts = readonly (string | null)[];

/** The ends of the values of each facet of bins; undefined where there is none. */
type Ranges = readonly (Range | undefined)[];

export interface FacetsAsking extends FacetValues {
  /** @returns no facet texts where together they are too long */
  readonly texts: (statement: Statement, fields: ListFields) => Promise<Texts>;
}

const MAX_ATTEMPTS = 5;

/** Reads the ends of bins, then all facets: again with new bins where the ends have moved. */
export async function readFacets(
  statements: FacetStatements,
  asking: FacetsAsking,
): Promise<Omit<FacetsRead, 'version'>> {
  const { ranges: rangesStatement, rangeFields, read, fields, hasSnapshots } = statements;
  const rangeTexts = rangesStatement && (await asking.texts(rangesStatement, rangeFields));
  let ranges = (rangeTexts ?? []).map(rangeOf);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const bounds = boundsOf(statements, ranges, asking);
    const key = keyOf(statements, { ranges, bounds }, asking);
    const texts = await asking.texts(bind(read, { limit: 0, offset: 0, key }), fields);
    if (texts[0] === null) return { facets: undefined, total: undefined };
    const end = hasSnapshots ? texts.length : texts.length - ranges.length;
    const seen = hasSnapshots ? ranges : texts.slice(end).map(rangeOf);
    if (JSON.stringify(seen) === JSON.stringify(ranges))
      return foundFacets(statements, texts.slice(0, end), { ranges, bounds, ...asking });
    ranges = seen;
  }
  const message = 'The least and the greatest values changed faster than they could be read.';
  throw new QueryFailedError('database_unavailable', message);
}

function binsOf({ facets }: FacetStatements): BinsShape[] {
  return facets.filter((facet) => facet !== undefined);
}

function boundsOf(statements: FacetStatements, ranges: Ranges, { hasFixedScale }: FacetsAsking) {
  return binsOf(statements).map(({ field, bins }, index) => {
    const range = ranges[index];
    const binned = { type: field.type, hasFixedScale: hasFixedScale?.(field) };
    return range === undefined ? [] : evenBounds(range, binned, bins);
  });
}

interface Division {
  readonly ranges: Ranges;
  readonly bounds: readonly (readonly string[])[];
}

/** Binds bounds and divisors. Missing bounds repeat the first one: an empty bin holds nothing. */
function keyOf(
  statements: FacetStatements,
  { ranges, bounds }: Division,
  { boundValue = String }: FacetsAsking,
): unknown[] {
  return binsOf(statements).flatMap(({ field, bins }, index) => {
    const values = (bounds[index] ?? []).map((json) => boundValue(textOf(json), field));
    const missing = bins + 1 - values.length;
    const first: unknown[] = Array.from({ length: missing }, () => values[0] ?? null);
    return [...first, ...values, floatDivisor(ranges[index])];
  });
}

function foundFacets(
  { facets }: FacetStatements,
  texts: Texts,
  { ranges, bounds, trimsSums }: Division & FacetsAsking,
): Omit<FacetsRead, 'version'> {
  const lists = texts.values();
  const next = (): string | null => lists.next().value ?? null;
  let bins = 0;
  const read = facets.map((facet): FoundFacet => {
    if (facet === undefined) return foundValues(next(), next());
    const division = { range: ranges[bins], bounds: bounds[bins] ?? [], trimsSums };
    bins += 1;
    return foundBins(facet, [next(), facet.mayBeInNone ? next() : null], division);
  });
  const [counted] = recordsOf<{ readonly count: string }>(next());
  return { facets: read, total: counted && BigInt(counted.count) };
}

function foundValues(values: string | null, all: string | null): FoundFacet {
  type Counts = Readonly<Record<'distinct' | 'nulls' | 'total', string>>;
  const [{ distinct, nulls, total } = NOTHING] = recordsOf<Counts>(all);
  return {
    kind: 'values',
    values: values ?? '[]',
    distinct: BigInt(distinct),
    nulls: BigInt(nulls),
    total: BigInt(total),
    ...(rangeOf(all) ?? NO_RANGE),
  };
}

const NO_RANGE = { min: undefined, max: undefined };

const NOTHING = { distinct: '0', nulls: '0', total: '0' };

interface DividedValues extends Pick<FacetsAsking, 'trimsSums'> {
  readonly range: Range | undefined;
  readonly bounds: readonly string[];
}

function foundBins(
  facet: BinsShape,
  [found = null, all = null]: Texts,
  { range, bounds, trimsSums = false }: DividedValues,
): FoundFacet {
  type Bin = { readonly bin: number | null; readonly count: string; readonly sum?: string | null };
  type All = { readonly sum?: string | null; readonly numbers?: string };
  const groups = recordsOf<Bin>(found);
  const sizes = new Map(groups.map(({ bin, count }) => [bin, BigInt(count)]));
  const [nulls, others] = [sizes.get(null) ?? 0n, sizes.get(0) ?? 0n];
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0n);
  const wanted = Math.max(0, bounds.length - 1);
  // Bins without values come first.
  const first = facet.bins - wanted + 1;
  const counts = Array.from({ length: wanted }, (_, index) => sizes.get(first + index) ?? 0n);
  // All values are in a bin, so the statement has not looked for the ends.
  const ends = rangeOf(all);
  const [every] = ends === undefined ? [] : recordsOf<All>(all);
  const added = (every === undefined ? groups : [every]).flatMap(({ sum }) => sum ?? []);
  const text = sumOf(added, facet.field, { divisor: floatDivisor(range), trimsSums });
  const numbers = BigInt(every?.numbers ?? total - nulls);
  const sum = facet.isAdded ? { text, numbers } : undefined;
  return {
    kind: 'bins',
    bounds,
    counts,
    nulls,
    others,
    total,
    ...(ends ?? range ?? NO_RANGE),
    sum,
  };
}

/** Adds the numbers of texts that hold one or several each. */
function sumOf(
  texts: readonly string[],
  { type }: Field,
  { divisor, trimsSums }: { readonly divisor: number; readonly trimsSums: boolean },
): string | undefined {
  if (texts.length === 0) return undefined;
  const digits = texts.flatMap((text) => text.split(' '));
  const isFloat = type === 'float64';
  const scaled = digits.map((text) => readScaled(isFloat ? decimalDigits(Number(text)) : text));
  const finite = scaled.filter((one) => one !== undefined);
  // NaN and the infinities have no digits.
  if (finite.length < scaled.length)
    return String(digits.reduce((sum, text) => sum + Number(text), 0));
  const { units, scale } = addScaled(finite);
  const sum = { units: isFloat ? units * BigInt(divisor) : units, scale };
  return printScaled(isFloat || trimsSums ? trimScaled(sum) : sum);
}

function recordsOf<Of>(text: string | null): Of[] {
  return JSON.parse(text ?? '[]', withEnds as Parameters<typeof JSON.parse>[1]) as Of[];
}

function withEnds(name: string, value: unknown, { source }: { source?: string }): unknown {
  return name === 'min' || name === 'max' ? (source ?? JSON.stringify(value)) : value;
}

function rangeOf(text: string | null): Range | undefined {
  const [{ min, max } = NO_RANGE] = recordsOf<Partial<Range>>(text);
  return min === undefined || max === undefined || min === 'null' ? undefined : { min, max };
}

export const FACETS: SnapshotRule<FacetStatements, FacetsRead> = {
  termsOf: (facets) => ({ ...facets, session: facets.read.session }),
  shapeOf: ({ read }) => `facets ${hash('sha256', read.sql, 'base64url').slice(0, 22)}`,
  async inSnapshot(snapshot, facets, values) {
    const read = await readFacets(facets, {
      ...values,
      texts: async (statement) =>
        ((await snapshot.row(statement)) ?? []).map((cell) =>
          typeof cell === 'string' ? cell : null,
        ),
    });
    return { ...read, version: await snapshot.version() };
  },
};
