import { Buffer } from 'node:buffer';

import type { ColumnKind, StoredValue } from '../fixtures/fixture.ts';
import type { Table } from './tables.ts';

/** Values in ascending order, which every database holds exactly and sorts alike. */
export const ASCENDING = {
  int32: [-2147483648, -1, 0, 1, 2147483647],
  int64: [
    '-9223372036854775808',
    '-1',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
  ],
  // SQLite keeps numbers and not the zeros at their ends.
  decimal: ['-12345678.91', '-0.01', '0.25', '12.75', '98765432.19'],
  float64: [-1.7976931348623157e308, -0.1, 5e-324, 1e15, 1e21],
  boolean: [false, true],
  text: ['', ' ', 'A', 'Z', 'a', 'a ', 'ab', 'a\u{10ffff}', 'ä', '\uffff', '😀'],
  date: ['0001-01-01', '1582-10-10', '1900-02-28', '2024-02-29', '9999-12-31'],
  time: ['00:00:00', '00:00:00.000001', '12:34:56.5', '23:59:59', '23:59:59.999999'],
  timestamp: [
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00.000001',
    '1969-12-31T23:59:59.5',
    '2024-02-29T12:00:00',
    '9999-12-31T23:59:59.999999',
  ],
  // SQLite compares texts, of which `…00Z` comes after `…00.5Z`: all have six digits.
  timestamp_tz: [
    '1970-01-01T00:00:01.000001Z',
    '1970-01-01T00:00:01.000002Z',
    '2000-02-29T23:59:59.999999Z',
    '2026-07-01T09:00:00.123456Z',
    '2038-01-19T03:14:07.999999Z',
  ],
  bytes: [
    Buffer.of(),
    Buffer.of(0),
    Buffer.of(0, 0),
    Buffer.of(0, 0xff),
    Buffer.of(0x7f),
    Buffer.of(0x80),
    Buffer.of(0xff),
  ],
  // MariaDB looks at the last of the five groups first, and so they grow together.
  uuid: [
    '00000000-0000-0000-0000-000000000000',
    '11111111-1111-1111-8111-111111111111',
    '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ],
  enum: ['happy', 'ok', 'sad'],
} as const satisfies Partial<Record<ColumnKind, readonly StoredValue[]>>;

/** A kind of column whose values have an order. */
export type AscendingKind = keyof typeof ASCENDING;

export const ASCENDING_KINDS = Object.keys(ASCENDING) as AscendingKind[];

/** Which of the ascending values each row holds, in no order: ties and NULL are among them. */
const RANKS = [4, 1, null, 10, 0, 2, 1, 9, 3, 8, 2, null, 5, 7, 6, 0] as const;

/** The place in the ascending values of what a row holds; shorter lists leave some rows NULL. */
export function rankOf(kind: AscendingKind, row: number): number | null {
  const rank = RANKS[row] ?? null;
  return rank !== null && rank < ASCENDING[kind].length ? rank : null;
}

/** A table with a column of each kind, and another of each that is never NULL. */
export const VALUES: Table = {
  name: 'ascending_values',
  columns: Object.fromEntries(
    ASCENDING_KINDS.flatMap((kind) => [
      [kindColumn(kind), kind] as const,
      [fullColumn(kind), `${kind} not null`] as const,
    ]),
  ),
  rows: RANKS.map((_, row) =>
    ASCENDING_KINDS.flatMap((kind) => [
      valueAt(kind, rankOf(kind, row)),
      valueAt(kind, fullRank(kind, row)),
    ]),
  ),
};

/** The column of a kind, in which some rows are NULL. */
export function kindColumn(kind: AscendingKind): string {
  return `${kind}_or_null`;
}

/** The column of a kind, in which no row is NULL. */
export function fullColumn(kind: AscendingKind): string {
  return `${kind}_always`;
}

/** The place in the ascending values of what a row holds where none is NULL. */
export function fullRank(kind: AscendingKind, row: number): number {
  return (row * 7) % ASCENDING[kind].length;
}

/** A value as it travels in a filter. */
export function wireValue(kind: AscendingKind, rank: number): unknown {
  const value = valueAt(kind, rank);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** All rows, by number from 0 on. */
export const ROWS: readonly number[] = RANKS.map((_, row) => row);

function valueAt(kind: AscendingKind, rank: number | null): StoredValue {
  const values: readonly StoredValue[] = ASCENDING[kind];
  return rank === null ? null : (values[rank] ?? null);
}
