import { SORTABLE_TYPES } from '@proj/contract';

import { averageOf, decimalDigits, printScaled, readScaled, trimScaled } from '../../decimals.ts';
import type { FacetPlan } from '../../planning/plan-facets.ts';
import type { FoundBins, FoundFacet } from '../../sources/source.ts';

export function facetText({ attribute }: FacetPlan, found: FoundFacet): string {
  const members = [
    `"attribute":${JSON.stringify(attribute.name)}`,
    ...(found.kind === 'values'
      ? [`"values":${found.values}`, `"distinct":"${found.distinct}"`]
      : [`"bins":[${binTexts(found).join(',')}]`]),
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

function binTexts({ bounds, counts }: FoundBins): string[] {
  return counts.map(
    (count, index) => `{"from":${bounds[index]},"to":${bounds[index + 1]},"count":"${count}"}`,
  );
}

function sumTexts(
  { text, numbers }: NonNullable<FoundBins['sum']>,
  isFloat: boolean,
): readonly [sum: string, average: string] {
  if (text === undefined || numbers === 0n) return ['"sum":null', '"average":null'];
  const [sum, average] = isFloat ? floatSum(text, numbers) : exactSum(text, numbers);
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
