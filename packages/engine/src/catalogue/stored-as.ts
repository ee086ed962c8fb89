import type { WireType } from '@proj/contract';

/**
 * How SQLite columns store dates, which it has no type for: as texts in its own formats, or as
 * numbers that count from a day of their own
 * (https://sqlite.org/datatype3.html#date_and_time_datatype). It says how numbers are read; texts
 * are always read as texts.
 */
export const STORED_AS = ['text', 'julian_day', 'unix_seconds', 'unix_milliseconds'] as const;

export type StoredAs = (typeof STORED_AS)[number];

/** Wire types whose values a database without date types may store in any of these ways. */
export const STORED_TYPES: ReadonlySet<WireType> = new Set(['date', 'timestamp', 'timestamp_tz']);
