import type { Scenario, Turn } from '../scenarios.ts';

/** A range of page numbers, both ends included. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** So many pages around a depth are met at random. */
const NEAR = { first: 100, middle: 2001, last: 100 } as const;

/** So many pages are asked for once each. */
const DISTINCT_PAGES = 20_000;

/** What of a scenario decides which pages are asked for. */
type Place = Pick<Scenario, 'rows' | 'size' | 'depth' | 'pattern'>;

/** Where the pages of a scenario are; a table that is shorter than the range ends it. */
export function pageRange({ rows, size, depth, pattern }: Place): PageRange {
  const pages = Math.max(1, Math.ceil(rows / size));
  const middle = Math.ceil(pages / 2);
  const centre = { first: 1, middle, last: pages }[depth];
  if (pattern === 'repeated') return { from: centre, to: centre };
  const width = pattern === 'distinct' ? DISTINCT_PAGES : NEAR[depth];
  const from = { first: 1, middle: middle - Math.floor(width / 2), last: pages - width + 1 }[depth];
  return { from: Math.max(1, from), to: Math.min(pages, Math.max(1, from) + width - 1) };
}

/**
 * The pages in the order in which they are asked for; the same in every run. Distinct pages are
 * dealt out to the turns, without those at both ends, by which replies are checked.
 */
export function pageSequence(scenario: Scenario, turn: Turn = { number: 0, of: 1 }): number[] {
  const { from, to } = pageRange(scenario);
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const random = pseudoRandom(from + to);
  if (scenario.pattern === 'repeated') return pages;
  if (scenario.pattern === 'distinct') {
    const shuffled = pages.slice(1, -1).map((page) => ({ page, place: random() }));
    return shuffled
      .toSorted((a, b) => a.place - b.place)
      .flatMap(({ page }, index) => (index % turn.of === turn.number ? [page] : []));
  }
  return Array.from({ length: 4 * pages.length }, () => from + Math.floor(random() * pages.length));
}

/** mulberry32: small, even enough, and the same on every machine. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
