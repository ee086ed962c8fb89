import { describe, expect, it } from 'vitest';

import type { Facet } from '../api/facets.ts';
import { attributeOf } from '../state/cities-model.test-data.ts';
import { barsPicture } from './bars-picture.ts';
import { distributionOf } from './distribution.ts';

const empty = { nulls: 0n, min: null, max: null, sum: null, average: null };

function barsOf(facet: Omit<Facet, 'attribute' | keyof typeof empty>, type: 'text' | 'int32') {
  const facets = [{ ...empty, attribute: 'a', ...facet, nulls: 2n }];
  return distributionOf({ facets, total: 10n }, attributeOf('a', type)).bars;
}

describe('the bars of a distribution', () => {
  it('are values, all others and NULL, which are every record once', () => {
    const values = [
      { value: '"x"', count: 5n },
      { value: '""', count: 1n },
    ];
    const bars = barsOf({ values, distinct: 4n }, 'text');
    expect(bars.map(({ label, count }) => [label, count])).toEqual([
      ['x', 5n],
      ['empty text', 1n],
      ['all others', 2n],
      ['NULL', 2n],
    ]);
    expect(bars[1]?.conditions).toEqual([{ attribute: 'a', operator: 'eq', operands: [''] }]);
    expect(bars[2]?.conditions).toEqual([]);
  });

  it('are ranges, each below its end but for the last', () => {
    const bins = [
      { from: '1', to: '5', count: 6n },
      { from: '5', to: '9', count: 2n },
    ];
    const bars = barsOf({ bins, others: 0n }, 'int32');
    expect(bars.map(({ label }) => label)).toEqual(['1 – 5', '5 – 9', 'NULL']);
    expect(bars.map(({ conditions }) => conditions.map(({ operator }) => operator).join())).toEqual(
      ['gte,lt', 'gte,lte', 'is_null'],
    );
  });
});

it('are a picture that shows any text as itself', () => {
  const bars = [{ label: '<b>&"\u0000', count: 2n, conditions: [] }];
  const picture = barsPicture('a <title>', { bars });
  expect(picture).toContain('>&lt;b>&amp;&quot; </text>');
  expect(picture).toContain('a &lt;title>');
  expect(picture).toContain('width="330"');
});
