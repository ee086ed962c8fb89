import type { AttributeEntry } from '@proj/client';

import type { Facet, FacetsReading } from '../api/facets.ts';
import { operandText } from '../state/filter/operand-value.ts';
import type { Condition } from '../state/view-state.ts';
import { cellText, textOf } from '../values/cell-text.ts';
import { rangeText } from '../values/short-text.ts';

/** One bar: the records that meet all of its conditions and the filter of the view. */
export interface Bar {
  readonly label: string;
  readonly count: bigint;
  /** None for a bar that no filter selects. */
  readonly conditions: readonly Condition[];
}

/** The bars of a picture, which count every record of the list once. */
export interface Distribution {
  readonly facet: Facet;
  readonly bars: readonly Bar[];
  readonly total: bigint;
  /** In words, which values the bars are. */
  readonly chosen: string;
}

/** The picture of the first facet that was read. */
export function distributionOf(
  { facets: [facet], total }: FacetsReading,
  attribute: AttributeEntry,
): Distribution {
  if (facet === undefined) throw new Error('The reply has no facet.');
  const bars = [...valueBars(facet, attribute), ...rangeBars(facet, attribute)];
  const counted = bars.reduce((sum, { count }) => sum + count, facet.nulls);
  const others = { label: 'all others', count: total - counted, conditions: [] };
  return {
    facet,
    bars: [
      ...bars,
      ...(others.count > 0n ? [others] : []),
      ...(facet.nulls > 0n ? [nullBar(facet, attribute)] : []),
    ],
    total,
    chosen: chosenText(facet),
  };
}

function valueBars({ values = [] }: Facet, { name, type, operators }: AttributeEntry): Bar[] {
  return values.map(({ value, count }) => ({
    label: cellText(value, type).shown,
    count,
    conditions: operators.includes('eq')
      ? [{ attribute: name, operator: 'eq', operands: [operandText(type, value)] }]
      : [],
  }));
}

function rangeBars({ bins = [] }: Facet, { name, type, operators }: AttributeEntry): Bar[] {
  const canFilter = operators.includes('gte') && operators.includes('lte');
  return bins.map(({ from, to, count }, index) => {
    const end = index === bins.length - 1 ? 'lte' : 'lt';
    const conditions: readonly Condition[] = [
      { attribute: name, operator: 'gte', operands: [textOf(from)] },
      { attribute: name, operator: end, operands: [textOf(to)] },
    ];
    return { label: rangeText(from, to, type), count, conditions: canFilter ? conditions : [] };
  });
}

function nullBar({ nulls }: Facet, { name, operators }: AttributeEntry): Bar {
  const isNull: Condition = { attribute: name, operator: 'is_null', operands: [] };
  return {
    label: 'NULL',
    count: nulls,
    conditions: operators.includes('is_null') ? [isNull] : [],
  };
}

function chosenText({ values, distinct = 0n }: Facet): string {
  if (values === undefined) return 'Ranges of equal width; each is below its end.';
  return distinct > BigInt(values.length)
    ? 'The most frequent values; all others are one bar.'
    : 'Every value.';
}
