import type { Extreme, Extremes } from '../../catalogue/relation.ts';

const ZERO_DATES: readonly Extreme[] = ['zero_dates'];

const EXTREMES: Extremes = {
  date: ZERO_DATES,
  timestamp: ZERO_DATES,
  timestamp_tz: ZERO_DATES,
  time: ['long_times'],
  // `boolean` is another name of `tinyint(1)`, which holds more than two numbers.
  boolean: ['numbers'],
  text: ['nul'],
};

/**
 * What MySQL and MariaDB hold beyond the values of the wire types, in a column of this
 * `column_type`.
 */
export function extremesOf(columnType: string): Extremes {
  return columnType.includes('unsigned') ? { ...EXTREMES, int64: ['unsigned'] } : EXTREMES;
}
