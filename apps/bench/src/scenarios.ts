/** The databases that are measured. */
export const DATABASES = ['postgres', 'mariadb', 'sqlite'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** Where in the list the pages are. */
export const DEPTHS = ['first', 'middle', 'last'] as const;
export type Depth = (typeof DEPTHS)[number];

/**
 * Which pages are asked for: one page again and again, random pages near the depth, or pages of
 * which none is asked for twice.
 */
export type Pattern = 'repeated' | 'varied' | 'distinct';

/** One situation in which every subject is measured. */
export interface Scenario {
  readonly database: DatabaseName;
  readonly rows: number;
  readonly depth: Depth;
  readonly size: number;
  readonly pattern: Pattern;
  /** Transactions that another connection commits meanwhile. */
  readonly writesPerSecond: number;
}

/** Of which values scenarios are made. */
export interface Factors {
  readonly rows: readonly number[];
  readonly sizes: readonly number[];
  readonly depths: readonly Depth[];
  readonly writes: readonly number[];
  /**
   * Whether every value meets every other one. Otherwise sizes and writes vary alone, in the table
   * of middle length.
   */
  readonly full: boolean;
}

/** A range of page numbers, both ends included. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** So many pages around a depth are met at random. */
const NEAR = { first: 100, middle: 2001, last: 100 } as const;

/** So many pages are asked for once each. */
const DISTINCT_PAGES = 20_000;

/** The scenarios of one database, those of one table together. */
export function planScenarios(database: DatabaseName, factors: Factors): Scenario[] {
  const reference = referenceRows(factors.rows);
  const [plainSize = 10] = factors.sizes;
  const [calm = 0] = factors.writes;
  return factors.rows.flatMap((rows) => {
    const all = factors.sizes.flatMap((size) =>
      factors.writes.flatMap((writesPerSecond) =>
        scenariosOfTable(factors.depths, {
          database,
          rows,
          size,
          writesPerSecond,
          depth: 'first',
          pattern: 'repeated',
        }),
      ),
    );
    if (factors.full) return all;
    return all.filter(({ size, writesPerSecond, depth, pattern }) => {
      if (size === plainSize && writesPerSecond === calm)
        return pattern !== 'distinct' || rows === reference;
      if (rows !== reference || pattern === 'distinct') return false;
      return size === plainSize
        ? pattern === 'repeated'
        : writesPerSecond === calm && depth === 'first';
    });
  });
}

/** The table in which everything but the length of tables varies. */
export function referenceRows(rows: readonly number[]): number {
  return rows.toSorted((a, b) => a - b)[Math.floor((rows.length - 1) / 2)] ?? 0;
}

/** Where the pages of a scenario are; a table that is shorter than the range ends it. */
export function pageRange({ rows, size, depth, pattern }: Scenario): PageRange {
  const pages = Math.max(1, Math.ceil(rows / size));
  const middle = Math.ceil(pages / 2);
  const centre = { first: 1, middle, last: pages }[depth];
  if (pattern === 'repeated') return { from: centre, to: centre };
  const width = pattern === 'distinct' ? DISTINCT_PAGES : NEAR[depth];
  const from = { first: 1, middle: middle - Math.floor(width / 2), last: pages - width + 1 }[depth];
  return { from: Math.max(1, from), to: Math.min(pages, Math.max(1, from) + width - 1) };
}

/** One of several loads of the same scenario. */
export interface Turn {
  /** From 0. */
  readonly number: number;
  readonly of: number;
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
    return shuffled(pages.slice(1, -1), random).filter(
      (_page, index) => index % turn.of === turn.number,
    );
  }
  return Array.from({ length: 4 * pages.length }, () => from + Math.floor(random() * pages.length));
}

/** What tells one scenario from the others in tables and plots. */
export function scenarioLabel({
  rows,
  depth,
  size,
  pattern,
  writesPerSecond,
}: Omit<Scenario, 'database'>): string {
  const writes = writesPerSecond === 0 ? '' : `, ${writesPerSecond} writes/s`;
  return `${powerOfTen(rows)} rows, ${depth} page, ${size} a page, ${pattern}${writes}`;
}

/** `10^6` where it is one, else the digits. */
export function powerOfTen(value: number): string {
  const exponent = Math.round(Math.log10(value));
  return value >= 1000 && 10 ** exponent === value ? `10^${exponent}` : String(value);
}

function scenariosOfTable(depths: readonly Depth[], base: Scenario): Scenario[] {
  const patterns: Pattern[] = ['repeated', 'varied'];
  const plain = depths.flatMap((depth) => patterns.map((pattern) => ({ ...base, depth, pattern })));
  return depths.includes('first')
    ? [...plain, { ...base, depth: 'first', pattern: 'distinct' }]
    : plain;
}

function shuffled(pages: number[], random: () => number): number[] {
  for (let left = pages.length; left > 1; left--) {
    const chosen = Math.floor(random() * left);
    const [a = 0, b = 0] = [pages[left - 1], pages[chosen]];
    pages[left - 1] = b;
    pages[chosen] = a;
  }
  return pages;
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
