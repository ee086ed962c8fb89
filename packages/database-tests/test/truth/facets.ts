import type { Answer, Call, Engine } from '@proj/engine';
import { pageMetadata } from '@proj/paging';

import type { ModelName, Row, Value } from './models.ts';
import { compareValues } from './order.ts';
import type { Random } from './random.ts';
import {
  type BinsFacet,
  bodyOf,
  type Facet,
  grantOf,
  type Question,
  type Request,
  type ValuesFacet,
} from './requests.ts';

type Some = readonly [Facet, ...Facet[]];

/** Few enough to be asked for again. */
const FACETS: Readonly<Record<ModelName, readonly [Some, ...Some[]]>> = {
  tasks: [
    [
      { attribute: 'grade', values: 20, sort: 'value' },
      { attribute: 'id', bins: 7 },
    ],
    [{ attribute: 'word', values: 5, sort: 'count' }],
    [
      { attribute: 'grade', bins: 5 },
      { attribute: 'moment', values: 2, sort: 'count' },
    ],
  ],
  owned_tasks: [
    [
      { attribute: 'title', values: 20, sort: 'count' },
      { attribute: 'owner', bins: 6 },
    ],
  ],
  owners: [
    [
      { attribute: 'id', bins: 3 },
      { attribute: 'title', values: 4, sort: 'value' },
    ],
  ],
};

/** A request for facets of the list of a question. */
export function facetsRequest(question: Question, random: Random): Request {
  const facets = random.pick(FACETS[question.model]);
  return { question, page: 1, size: 1, total: 'exact', facets };
}

/** Facets with their total, as a page that would have them for records. */
export async function facetsReply(
  engine: Pick<Engine, 'facets'>,
  request: Request,
  call: Call,
): Promise<Pick<Answer, 'result' | 'page' | 'tag'>> {
  const grant = grantOf(request.question.audience);
  const { json, tag } = await engine.facets(bodyOf(request), grant, call);
  const { facets, total }: { facets: object[]; total: string } = JSON.parse(json);
  // Averages are no counts: other tests compare their digits.
  const result = JSON.stringify(facets, (name, value) => (name === 'average' ? undefined : value));
  return { result, page: pageMetadata({ page: 1, size: 1 }, BigInt(total)), tag };
}

/** The facets of these records, worked out anew, as the text of {@link facetsReply}. */
export function facetsText(rows: readonly Row[], facets: readonly Facet[]): string {
  return JSON.stringify(
    facets.map((facet) => ('bins' in facet ? binsOf(rows, facet) : valuesOf(rows, facet))),
  );
}

type Present = NonNullable<Value>;

function valuesOf(rows: readonly Row[], { attribute, values, sort }: ValuesFacet): object {
  const present = presentValues(rows, attribute);
  const counts = new Map<Present, number>();
  for (const value of present) counts.set(value, (counts.get(value) ?? 0) + 1);
  const byValue = [...counts].toSorted(([one], [other]) => compareValues(one, other));
  const sorted = sort === 'value' ? byValue : byValue.toSorted(([, one], [, other]) => other - one);
  return {
    attribute,
    values: sorted.slice(0, values).map(([value, count]) => ({ value, count: String(count) })),
    distinct: String(counts.size),
    nulls: String(rows.length - present.length),
    min: byValue[0]?.[0] ?? null,
    max: byValue.at(-1)?.[0] ?? null,
  };
}

function binsOf(rows: readonly Row[], { attribute, bins }: BinsFacet): object {
  const numbers = presentValues(rows, attribute).map(Number);
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const bounds = numbers.length === 0 ? [] : boundsOf(min, max, bins);
  const counts = bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? to;
    const isLast = index === bounds.length - 2;
    const inBin = numbers.filter((one) => one >= from && (isLast ? one <= to : one < to));
    return { from, to, count: String(inBin.length) };
  });
  return {
    attribute,
    bins: counts,
    nulls: String(rows.length - numbers.length),
    others: '0',
    min: numbers.length === 0 ? null : min,
    max: numbers.length === 0 ? null : max,
    sum: numbers.length === 0 ? null : String(numbers.reduce((sum, one) => sum + one)),
  };
}

/** Even from the least to the greatest number, rounded down, each once. */
function boundsOf(min: number, max: number, bins: number): number[] {
  const between = Array.from({ length: bins - 1 }, (_, index) =>
    Math.floor(min + ((max - min) * (index + 1)) / bins),
  );
  return [min, ...new Set(between.filter((bound) => bound > min && bound < max)), max];
}

function presentValues(rows: readonly Row[], attribute: string): Present[] {
  return rows.map((row) => row[attribute] ?? null).filter((value) => value !== null);
}
