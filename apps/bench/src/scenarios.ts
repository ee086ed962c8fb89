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
  /**
   * Whether every value meets every other one. Otherwise sizes and writes vary alone, in the table
   * of middle length.
   */
  readonly full: boolean;
}

/** The scenarios of one database, those of one table together. */
export function planScenarios(database: DatabaseName, factors: Factors): Scenario[] {
  const reference = referenceRows(factors.rows);
  const [plainSize = 10] = factors.sizes;
  const [calm = 0] = factors.writes;
  const isPlanned = ({ rows, size, writesPerSecond, depth, pattern }: Scenario): boolean => {
    if (size === plainSize && writesPerSecond === calm)
      return pattern !== 'distinct' || rows === reference;
    if (rows !== reference || pattern === 'distinct') return false;
    return size === plainSize
      ? pattern === 'repeated'
      : writesPerSecond === calm && depth === 'first';
  };
  const all = everyScenario(database, factors);
  return factors.full ? all : all.filter(isPlanned);
}

/** Every value with every other one. */
function everyScenario(
  database: DatabaseName,
  { rows: lengths, sizes, writes, depths }: Factors,
): Scenario[] {
  const base = { database, depth: 'first', pattern: 'repeated' } as const;
  return lengths.flatMap((rows) =>
    sizes.flatMap((size) =>
      writes.flatMap((writesPerSecond) =>
        scenariosOfTable(depths, { ...base, rows, size, writesPerSecond }),
      ),
    ),
  );
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

function scenariosOfTable(depths: readonly Depth[], base: Scenario): Scenario[] {
  const patterns: Pattern[] = ['repeated', 'varied'];
  const plain = depths.flatMap((depth) => patterns.map((pattern) => ({ ...base, depth, pattern })));
  return depths.includes('first')
    ? [...plain, { ...base, depth: 'first', pattern: 'distinct' }]
    : plain;
}
