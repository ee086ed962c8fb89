import type { Field } from '../../catalogue/field.ts';
import { QueryFailedError } from '../../errors.ts';
import type { BinsShape, FacetStatements } from '../../sql/facet-statements.ts';
import { bind, type Statement } from '../../sql/statement.ts';
import type { FacetsRead, FoundFacet } from './facets-read.ts';
import { evenBounds, type Range, textOf } from './bounds.ts';
import type { FacetCells } from './facet-columns.ts';
import { floatDivisor } from './float-divisor.ts';

/** The ends of the values of each facet of bins; undefined where there is none. */
export type Ranges = readonly (Range | undefined)[];

/** What the statement of facets has returned. */
export interface FacetsAnswer {
  readonly cells: readonly FacetCells[];
  /** How many records the common filter keeps, where no facet is of them. */
  readonly total: string | null;
  /** The ends in the state that the statement has seen, where it was asked for them. */
  readonly ranges: Ranges | undefined;
}

/** How a database answers the statements of facets. */
export interface FacetsAsking {
  readonly ranges: (statement: Statement) => Promise<Ranges>;
  readonly facets: (statement: Statement) => Promise<FacetsAnswer>;
  /** A bound in the form in which the database binds it. */
  readonly boundValue: (text: string, field: Field) => unknown;
  /** Whether all values of a field have as many digits after the point. Default: they do not. */
  readonly hasFixedScale?: (field: Field) => boolean;
}

/** How often facets are read again because the least or the greatest value has changed. */
const MAX_ATTEMPTS = 5;

/**
 * Reads facets in two statements: first the least and the greatest value of each attribute that is
 * divided into bins, then all facets. Where the two may see two states of the data, the second also
 * reads the least and the greatest values; if these differ from those of the first, it is repeated
 * with new bins.
 */
export async function readFacets(
  statements: FacetStatements,
  asking: FacetsAsking,
): Promise<Omit<FacetsRead, 'version'>> {
  const { ranges: rangesStatement, read } = statements;
  let ranges = rangesStatement === undefined ? [] : await asking.ranges(rangesStatement);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const bounds = boundsOf(statements, ranges, asking);
    const key = keyOf(statements, { ranges, bounds }, asking);
    const answer = await asking.facets(bind(read, { limit: 0, offset: 0, key }));
    if (answer.ranges === undefined || areEqual(answer.ranges, ranges))
      return found(statements, answer, { ranges, bounds });
    ranges = answer.ranges;
  }
  throw new QueryFailedError(
    'database_unavailable',
    'The least and the greatest values changed faster than they could be read.',
  );
}

/** The facets of bins among those of a statement. */
export function binsOf({ facets }: Pick<FacetStatements, 'facets'>): BinsShape[] {
  return facets.filter((facet) => facet.kind === 'bins');
}

function areEqual(one: Ranges, other: Ranges): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The bounds of each facet of bins, as JSON. */
function boundsOf(
  statements: FacetStatements,
  ranges: Ranges,
  { hasFixedScale }: FacetsAsking,
): string[][] {
  return binsOf(statements).map(({ field, bins }, index) => {
    const range = ranges[index];
    const binned = { type: field.type, hasFixedScale: hasFixedScale?.(field) };
    return range === undefined ? [] : evenBounds(range, binned, bins);
  });
}

/** Where the values of each facet of bins end, and its bins begin. */
interface Division {
  readonly ranges: Ranges;
  readonly bounds: readonly (readonly string[])[];
}

/**
 * What is bound: the bounds of each facet, and its divisor. Where there are fewer bounds than
 * places for them, the first is repeated; a bin that ends where it begins holds no value, and
 * neither does one with a bound that is NULL.
 */
function keyOf(
  statements: FacetStatements,
  { ranges, bounds }: Division,
  { boundValue }: FacetsAsking,
): unknown[] {
  return binsOf(statements).flatMap(({ field, bins }, index) => {
    const values = (bounds[index] ?? []).map((json) => boundValue(textOf(json), field));
    const missing = bins + 1 - values.length;
    const first: unknown[] = Array.from({ length: missing }, () => values[0] ?? null);
    return [...first, ...values, floatDivisor(ranges[index])];
  });
}

function found(
  { facets }: FacetStatements,
  { cells, total }: FacetsAnswer,
  { ranges, bounds }: Division,
): Omit<FacetsRead, 'version'> {
  const read: FoundFacet[] = [];
  let bins = 0;
  for (const [index, facet] of facets.entries()) {
    const own = cells[index];
    if (own?.found === undefined || own.found === null)
      return { facets: undefined, total: undefined };
    const common = commonOf(own);
    if (facet.kind === 'values')
      read.push({ ...common, kind: 'values', values: own.found, distinct: count(own.distinct) });
    else {
      // Where every value is in a bin, the statement leaves its ends out.
      const { min = ranges[bins]?.min, max = ranges[bins]?.max } = common;
      const divisor = floatDivisor(ranges[bins]);
      const counted = foundBins(facet, own, { bounds: bounds[bins] ?? [], divisor });
      read.push({ ...common, ...counted, min, max });
      bins += 1;
    }
  }
  return { facets: read, total: total === null ? undefined : BigInt(total) };
}

function commonOf({
  nulls,
  total,
  min,
  max,
}: FacetCells): Pick<FoundFacet, 'nulls' | 'total' | 'min' | 'max'> {
  return { nulls: count(nulls), total: count(total), min: min ?? undefined, max: max ?? undefined };
}

function foundBins(
  { field, bins, isAdded }: BinsShape,
  { found: pairs, others, sum, numbers }: FacetCells,
  { bounds, divisor }: { readonly bounds: readonly string[]; readonly divisor: number },
) {
  const byPlace = new Map(JSON.parse(pairs ?? '[]') as [number, string][]);
  const wanted = Math.max(0, bounds.length - 1);
  // Bins without values come first.
  const first = bins - wanted + 1;
  const counts = Array.from({ length: wanted }, (_, index) => count(byPlace.get(first + index)));
  const isDivided = field.type === 'float64' && sum !== null;
  const text = isDivided ? String(Number(sum) * divisor) : (sum ?? undefined);
  const added = isAdded ? { text, numbers: count(numbers) } : undefined;
  return { kind: 'bins' as const, bounds, counts, others: count(others), sum: added };
}

function count(digits: string | null | undefined): bigint {
  return BigInt(digits ?? 0);
}
