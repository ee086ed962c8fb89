import { describe, expect, test } from 'vitest';

import { type Factors, planScenarios, powerOfTen, scenarioLabel } from './scenarios.ts';

const FACTORS: Factors = {
  rows: [10_000, 1_000_000, 10_000_000],
  sizes: [10, 100, 1000],
  depths: ['first', 'middle', 'last'],
  writes: [0, 1, 10, 100],
};

describe('the plan', () => {
  test('holds every length with every depth, repeated and varied', () => {
    const plain = planScenarios('postgres', FACTORS).filter(
      ({ size, writesPerSecond, pattern }) =>
        size === 10 && writesPerSecond === 0 && pattern !== 'distinct',
    );
    expect(plain).toHaveLength(3 * 3 * 2);
  });

  test('varies sizes, writes and distinct pages in the middle table alone', () => {
    const others = planScenarios('postgres', FACTORS).filter(
      ({ size, writesPerSecond, pattern }) =>
        size !== 10 || writesPerSecond !== 0 || pattern === 'distinct',
    );
    expect(new Set(others.map(({ rows }) => rows))).toEqual(new Set([1_000_000]));
    expect(new Set(others.map(({ writesPerSecond }) => writesPerSecond))).toEqual(
      new Set(FACTORS.writes),
    );
    expect(new Set(others.map(({ size }) => size))).toEqual(new Set(FACTORS.sizes));
    expect(others.filter(({ pattern }) => pattern === 'distinct')).toHaveLength(1);
  });

  test('meets no scenario twice', () => {
    const labels = planScenarios('postgres', FACTORS).map(scenarioLabel);
    expect(new Set(labels).size).toBe(labels.length);
  });
});

test('a length is named as a power of ten where it is one', () => {
  expect([100, 1000, 10_000_000, 20_000].map(powerOfTen)).toEqual(['100', '10^3', '10^7', '20000']);
});
