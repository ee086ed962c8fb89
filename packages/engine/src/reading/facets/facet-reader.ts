import { SORTABLE_TYPES } from '@proj/contract';

import { versionScope } from '../../planning/list-rows.ts';
import { shownBounds } from '../../sources/facets/bounds.ts';
import type { FacetsRead, FoundBins, FoundFacet, ReadCall, Reads } from '../../sources/source.ts';
import type { PreparedFacets } from '../../sql/prepared/preparer.ts';
import { digestOf, type Reply } from '../sharing/reply-cache.ts';
import { isTooLarge, type Question, type Reader } from '../reader.ts';
import { averageOf, decimalDigits, printScaled, readScaled, trimScaled } from '../../decimals.ts';
import type { FacetPlan } from '../../planning/plan-facets.ts';

export interface FacetsQuestion extends Question {
  readonly prepared: PreparedFacets;
}

export interface FacetsReply extends Reply {
  readonly rows: number;
  readonly digest: () => string;
}

export type FacetsReader = Reader<FacetsQuestion, FacetsReply>;

export function facetsQuestion(prepared: PreparedFacets): FacetsQuestion {
  const { key, plan } = prepared;
  return { key, relations: versionScope(plan), session: plan.session, prepared };
}

const TOO_LARGE: FacetsRead = Object.freeze({
  facets: undefined,
  total: undefined,
  version: undefined,
});

export class FacetReader implements FacetsReader {
  readonly #source: Reads<'facets'>;

  constructor(source: Reads<'facets'>) {
    this.#source = source;
  }

  async read({ prepared }: FacetsQuestion, call: ReadCall): Promise<FacetsReply> {
    const started = performance.now();
    const asked = prepared.statements;
    const read = await this.#source.read({ kind: 'facets', asked }, call).catch(tooLarge);
    const json = textOf(prepared, read);
    return {
      json,
      rows: rowsOf(prepared, read),
      version: prepared.plan.facts.versioned ? read.version : undefined,
      digest: digestOf(prepared.namesKey, json),
      milliseconds: { rows: performance.now() - started, count: 0 },
    };
  }
}

function tooLarge(error: unknown): FacetsRead {
  if (isTooLarge(error)) return TOO_LARGE;
  throw error;
}

function textOf({ plan, statements }: PreparedFacets, { facets, total }: FacetsRead) {
  if (facets === undefined) return undefined;
  const texts: string[] = [];
  let counted = total;
  for (const [index, facet] of plan.facets.entries()) {
    const found = facets[index];
    if (found === undefined) throw new Error('A facet is missing from what was read.');
    if (facet.rows.condition === plan.counted.condition) counted ??= found.total;
    texts.push(facetText(facet, found));
  }
  const json = `{"facets":[${texts.join(',')}],"total":"${counted}"}`;
  return Buffer.byteLength(json) > statements.maxBytes ? undefined : json;
}

function rowsOf({ plan }: PreparedFacets, { facets = [] }: FacetsRead): number {
  return facets.reduce((sum, found, index) => {
    if (found.kind === 'bins') return sum + found.counts.length;
    return sum + Math.min(plan.facets[index]?.limit ?? 0, Number(found.distinct));
  }, 0);
}

function facetText({ attribute, by }: FacetPlan, found: FoundFacet): string {
  const members = [
    `"attribute":${JSON.stringify(attribute.name)}`,
    ...(found.kind === 'values'
      ? [`"values":${found.values}`, `"distinct":"${found.distinct}"`]
      : [`"bins":[${binTexts(found, by).join(',')}]`]),
    `"nulls":"${found.nulls}"`,
    ...(found.kind === 'bins' ? [`"others":"${found.others}"`] : []),
    ...(SORTABLE_TYPES.has(attribute.type)
      ? [`"min":${found.min ?? 'null'}`, `"max":${found.max ?? 'null'}`]
      : []),
    ...(found.kind === 'bins' && found.sum !== undefined
      ? sumTexts(found.sum, attribute.type === 'float64')
      : []),
  ];
  return `{${members.join(',')}}`;
}

function binTexts({ bounds: inUtc, counts }: FoundBins, by: FacetPlan['by']): string[] {
  const bounds = shownBounds(inUtc, by);
  return counts.map(
    (count, index) => `{"from":${bounds[index]},"to":${bounds[index + 1]},"count":"${count}"}`,
  );
}

function sumTexts({ text, numbers }: NonNullable<FoundBins['sum']>, isFloat: boolean): string[] {
  if (text === undefined || numbers === 0n) return ['"sum":null', '"average":null'];
  // The sum of doubles may be more than a double holds.
  const isDouble = isFloat && Number.isFinite(Number(text));
  const [sum, average] = isDouble ? floatSum(text, numbers) : exactSum(text, numbers);
  return [`"sum":"${sum}"`, `"average":"${average}"`];
}

function floatSum(text: string, numbers: bigint): [sum: string, average: string] {
  const sum = Number(text);
  return [decimalDigits(sum), decimalDigits(sum / Number(numbers))];
}

/** What has no digits, such as NaN, is its own average. */
function exactSum(text: string, numbers: bigint): [sum: string, average: string] {
  const sum = readScaled(text);
  if (sum === undefined) return [text, text];
  return [printScaled(sum), printScaled(trimScaled(averageOf(sum, numbers), sum.scale))];
}
