import { describe, expect, it } from 'vitest';

import { EndlessListError } from '../errors/errors.ts';
import { trackRepetition, type Repetition } from './repetition.ts';

/** Follows pages of two records each, given the records and the total of each page. */
function follow(
  pages: readonly { readonly records: readonly unknown[]; readonly total: bigint | null }[],
): void {
  let repetition: Repetition | null = null;
  for (const [index, page] of pages.entries())
    repetition = trackRepetition(repetition, { number: index + 1, size: 2, ...page });
}

const same = (count: number, records: readonly unknown[], total: (page: number) => bigint | null) =>
  Array.from({ length: count }, (_, index) => ({ records, total: total(index + 1) }));

describe('pages that repeat', () => {
  it('are followed for as long as a true list may repeat, and no longer', () => {
    expect(() => follow(same(2001, ['a', 'b'], () => 100_000n))).not.toThrow();
    expect(() => follow(same(2002, ['a', 'b'], () => 100_000n))).toThrow(EndlessListError);
  });

  it('are followed as long as the end comes nearer when their records are alike', () => {
    expect(() => follow(same(1000, ['a', 'a'], () => 10_000n))).not.toThrow();
    expect(() => follow(same(1000, ['a'], () => 10_000n))).not.toThrow();
  });

  it('are followed without totals, where records that are alike say nothing', () => {
    expect(() => follow(same(1000, ['a', 'a'], () => null))).not.toThrow();
    expect(() => follow(same(2002, ['a', 'b'], () => null))).toThrow(EndlessListError);
  });

  it('are given up in the end when the end moves away as fast as they are read', () => {
    expect(() => follow(same(101, ['a', 'a'], (page) => BigInt(page) * 2n + 1n))).not.toThrow();
    expect(() => follow(same(102, ['a', 'a'], (page) => BigInt(page) * 2n + 1n))).toThrow(
      'Stopped after page 102',
    );
  });

  it('are forgotten after a page that differs', () => {
    const many = same(1500, ['a', 'b'], () => 100_000n);
    expect(() => follow([...many, ...same(2, ['c', 'd'], () => 100_000n), ...many])).not.toThrow();
  });

  it('may be empty', () => {
    expect(() => follow(same(1000, [], () => 0n))).not.toThrow();
  });
});
