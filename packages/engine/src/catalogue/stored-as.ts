import type { WireType } from '@proj/contract';

/** How SQLite stores dates: https://sqlite.org/datatype3.html#date_and_time_datatype */
export const STORED_AS = ['text', 'julian_day', 'unix_seconds', 'unix_milliseconds'] as const;

export type StoredAs = (typeof STORED_AS)[number];

/** Databases without date types may store these in any of the ways. */
export const STORED_TYPES: ReadonlySet<WireType> = new Set(['date', 'timestamp', 'timestamp_tz']);
