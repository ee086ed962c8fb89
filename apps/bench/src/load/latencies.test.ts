import { expect, test } from 'vitest';

import { Latencies } from './latencies.ts';

function latenciesOf(values: readonly number[]): Latencies {
  const latencies = new Latencies();
  for (const value of values) latencies.record(value);
  return latencies;
}

test('quantiles are exact to one percent, from microseconds to minutes', () => {
  for (const unit of [0.01, 1, 1000]) {
    const latencies = latenciesOf(Array.from({ length: 1000 }, (_, index) => (index + 1) * unit));
    expect((latencies.quantile(0.5) ?? 0) / (500 * unit)).toBeCloseTo(1, 2);
    expect((latencies.quantile(0.99) ?? 0) / (990 * unit)).toBeCloseTo(1, 2);
  }
});

test('the highest of few times is their 99th percentile', () => {
  expect(latenciesOf([1, 2, 50]).quantile(0.99)).toBeCloseTo(50, 0);
});

test('rounds are put together as if they had been one', () => {
  const [fast, slow] = [latenciesOf([1, 1, 1]), latenciesOf([100])];
  fast.add(slow);
  expect(fast.total).toBe(4);
  expect(fast.quantile(0.75)).toBeCloseTo(1, 1);
  expect(fast.quantile(0.76)).toBeCloseTo(100, -1);
});

test('latencies without a measurement have no quantile', () => {
  expect(new Latencies().quantile(0.5)).toBeUndefined();
});
