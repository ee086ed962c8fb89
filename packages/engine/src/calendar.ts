/** Of the Gregorian calendar, also before its introduction. The year before 1 is 0. */
export function isDayOfMonth(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

/** Days since 1970-01-01 of the Gregorian calendar, also before it was introduced. */
const DAYS_BEFORE_1970 = 719_468n;
const DAYS_OF_400_YEARS = 146_097n;

/**
 * By https://howardhinnant.github.io/date_algorithms.html#days_from_civil; zeros count too.
 */
export function dayNumber(year: bigint, month: bigint, day: bigint): bigint {
  const counted = month > 2n ? year : year - 1n;
  const era = floorDivide(counted, 400n);
  const yearOfEra = counted - era * 400n;
  const dayOfYear = (153n * (month + (month > 2n ? -3n : 9n)) + 2n) / 5n + day - 1n;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * DAYS_OF_400_YEARS + dayOfEra - DAYS_BEFORE_1970;
}

/** Year, month and day of a number; the year before 1 is 0. */
export function dayOf(number: bigint): readonly [year: bigint, month: bigint, day: bigint] {
  const shifted = number + DAYS_BEFORE_1970;
  const era = floorDivide(shifted, DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const leaps = dayOfEra / 1460n - dayOfEra / 36_524n + dayOfEra / 146_096n;
  const yearOfEra = (dayOfEra - leaps) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const shiftedMonth = (5n * dayOfYear + 2n) / 153n;
  const day = dayOfYear - (153n * shiftedMonth + 2n) / 5n + 1n;
  const month = shiftedMonth < 10n ? shiftedMonth + 3n : shiftedMonth - 9n;
  const year = yearOfEra + era * 400n + (month <= 2n ? 1n : 0n);
  return [year, month, day];
}

export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** The calendar and its weekdays repeat after 400 years; a Date ends before some databases. */
export const CYCLES = 250 * 400;

/** In milliseconds since 1970, of any year. */
export function utcOf(
  [year, month, day]: readonly [year: number, month: number, day: number],
  [hours = 0, minutes = 0, seconds = 0]: readonly number[] = [],
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hours, minutes, seconds);
}
