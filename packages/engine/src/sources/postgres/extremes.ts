import type { Extreme, Extremes } from '../../catalogue/relation.ts';

const MOMENTS: readonly Extreme[] = ['infinity', 'far_years'];

/** An infinite numeric came with PostgreSQL 14; before it, the very word was an error. */
const INFINITE_NUMERIC = 140_000;

/** What PostgreSQL holds beyond the values of the wire types, by `server_version_num`. */
export function extremesOf(version: number): Extremes {
  return {
    date: MOMENTS,
    timestamp: MOMENTS,
    timestamp_tz: MOMENTS,
    time: ['end_of_day'],
    decimal: version >= INFINITE_NUMERIC ? ['not_a_number', 'infinity'] : ['not_a_number'],
  };
}
