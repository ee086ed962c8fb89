import type { DatabaseName } from './databases/database.ts';

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
}

const PLAIN = ['repeated', 'varied'] as const;

/**
 * The scenarios of one database, those of one table together: every length with every depth. In the
 * table of middle length sizes and writes vary too, each alone.
 */
export function planScenarios(database: DatabaseName, factors: Factors): Scenario[] {
  const { rows: lengths, depths } = factors;
  const [size = 10, ...sizes] = factors.sizes;
  const [calm = 0, ...busy] = factors.writes;
  return lengths.flatMap((rows): Scenario[] => {
    const base = { database, rows, size, writesPerSecond: calm };
    const plain = depths.flatMap((depth) => PLAIN.map((pattern) => ({ ...base, depth, pattern })));
    if (rows !== referenceRows(lengths)) return plain;
    const firsts = depths.filter((depth) => depth === 'first').map((depth) => ({ ...base, depth }));
    return [
      ...plain,
      ...firsts.map((first) => ({ ...first, pattern: 'distinct' as const })),
      ...busy.flatMap((writesPerSecond) =>
        depths.map((depth) => ({ ...base, depth, pattern: PLAIN[0], writesPerSecond })),
      ),
      ...firsts.flatMap((first) =>
        sizes.flatMap((other) => PLAIN.map((pattern) => ({ ...first, size: other, pattern }))),
      ),
    ];
  });
}

/** The table in which everything but the length of tables varies. */
export function referenceRows(rows: readonly number[]): number {
  return rows.toSorted((a, b) => a - b)[Math.floor((rows.length - 1) / 2)] ?? 0;
}

/** One of several loads of the same scenario. */
export interface Turn {
  /** From 0. */
  readonly number: number;
  readonly of: number;
}

/** What distinguishes one scenario from the others in tables. */
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
