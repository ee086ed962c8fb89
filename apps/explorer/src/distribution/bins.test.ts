import { describe, expect, it } from 'vitest';

import { attributeOf } from '../state/cities-model.test-data.ts';
import { hasRanges, nullBin, rangeBins, valueBins } from './bins.ts';

const labels = ({ bins }: { readonly bins: readonly { readonly label: string }[] }) =>
  bins.map(({ label }) => label);

describe('ranges', () => {
  it('hold every value: the outer ones are open, the inner ones meet', () => {
    const { bins, chosen } = rangeBins(attributeOf('population', 'int64'), {
      smallest: '12',
      largest: '1300',
    });
    expect(labels({ bins })).toEqual([
      'below 20',
      '20 – 50',
      '50 – 100',
      '100 – 200',
      '200 – 500',
      '500 – 1,000',
      '1,000 and above',
    ]);
    expect(
      bins.map(({ conditions }) =>
        conditions.map(({ operator, operands }) => `${operator} ${operands.join()}`),
      ),
    ).toEqual([
      ['lt 20'],
      ['gte 20', 'lt 50'],
      ['gte 50', 'lt 100'],
      ['gte 100', 'lt 200'],
      ['gte 200', 'lt 500'],
      ['gte 500', 'lt 1000'],
      ['gte 1000'],
    ]);
    expect(chosen).toBe(
      'Ranges that grow with the values between 12, the least value, and 1,300, the greatest.',
    );
  });

  it('of whole numbers are cut at whole numbers', () => {
    const found = rangeBins(attributeOf('position', 'int32'), { smallest: '1', largest: '3' });
    expect(labels(found)).toEqual(['below 2', '2 – 3', '3 and above']);
  });

  it('of decimals are cut without an exponent', () => {
    const found = rangeBins(attributeOf('price', 'decimal'), {
      smallest: '0.0000001',
      largest: '0.0000003',
    });
    expect(
      found.bins
        .flatMap(({ conditions }) => conditions.flatMap(({ operands }) => operands))
        .join(' '),
    ).not.toContain('e');
  });

  it('of dates are cut at days', () => {
    const found = rangeBins(attributeOf('day', 'date'), {
      smallest: '2026-01-01',
      largest: '2026-01-03',
    });
    expect(labels(found)).toEqual([
      'below 2026-01-02',
      '2026-01-02 – 2026-01-03',
      '2026-01-03 and above',
    ]);
  });

  it('of instants are cut at midnight in UTC', () => {
    const extremes = {
      smallest: '2026-01-01T23:00:00.000000Z',
      largest: '2026-01-02T01:00:00.000000Z',
    };
    const { bins } = rangeBins(attributeOf('at', 'timestamp_tz'), extremes);
    expect(bins[1]?.conditions).toEqual([
      { attribute: 'at', operator: 'gte', operands: ['2026-01-02T00:00:00Z'] },
    ]);
  });

  it('are one where all values are equal', () => {
    const { bins } = rangeBins(attributeOf('a', 'int32'), { smallest: '5', largest: '5' });
    expect(bins).toEqual([
      { label: 'any value', conditions: [{ attribute: 'a', operator: 'not_null', operands: [] }] },
    ]);
  });

  it.each([
    ['int64', true],
    ['float64', true],
    ['timestamp', true],
    ['text', false],
    ['boolean', false],
    ['json', false],
  ] as const)('fit values of type %s: %s', (type, fit) => {
    expect(hasRanges(attributeOf('a', type))).toBe(fit);
  });
});

describe('values', () => {
  it('are those that the page shows most, ten at most', () => {
    const cells = [
      '"b"',
      '"a"',
      '"b"',
      'null',
      '""',
      ...Array.from({ length: 9 }, (_, index) => `"${index}"`),
    ];
    const { bins, chosen } = valueBins(attributeOf('name', 'text'), cells);
    expect(labels({ bins })).toEqual(['b', 'a', 'empty text', '0', '1', '2', '3', '4', '5', '6']);
    expect(bins[2]?.conditions).toEqual([{ attribute: 'name', operator: 'eq', operands: [''] }]);
    expect(chosen).toBe('The 10 values that this page shows most; all others are one bar.');
  });

  it('of a boolean are both, whatever the page shows', () => {
    expect(labels(valueBins(attributeOf('open', 'boolean'), []))).toEqual(['true', 'false']);
  });

  it('that cannot be compared are only distinguished from NULL', () => {
    expect(labels(valueBins(attributeOf('phone', 'json'), ['[1]']))).toEqual(['any value']);
    expect(nullBin(attributeOf('phone', 'json')).conditions).toEqual([
      { attribute: 'phone', operator: 'is_null', operands: [] },
    ]);
  });
});
