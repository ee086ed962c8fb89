import type { Scaled } from './decimals.ts';

/** Of the Gregorian calendar, also before its introduction. The year before 1 is 0. */
export function isDayOfMonth(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

const DAYS_BEFORE_1970 = 719_468n;
const DAYS_OF_400_YEARS = 146_097n;

/** https://howardhinnant.github.io/date_algorithms.html#days_from_civil; zeros count too. */
export function dayNumber(year: bigint, month: bigint, day: bigint): bigint {
  const counted = month > 2n ? year : year - 1n;
  const era = floorDivide(counted, 400n);
  const yearOfEra = counted - era * 400n;
  const dayOfYear = (153n * (month + (month > 2n ? -3n : 9n)) + 2n) / 5n + day - 1n;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * DAYS_OF_400_YEARS + dayOfEra - DAYS_BEFORE_1970;
}

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

const ERA = ' BC';
const DATE = /^(\d{4,7})-(\d{2})-(\d{2})$/;
const TIME = /^(-?)(\d{2,3}):(\d{2}):(\d{2})(?:\.(\d+))?$/;
const DAY_SECONDS = 86_400n;

/** Digits of a second that every database keeps. */
export const MICROSECONDS = 6;

/** Dates, times and moments are in their wire form; undefined for any other text. */
export function readDay(text: string): Scaled | undefined {
  const isBefore = text.endsWith(ERA);
  const [, digits, month = '', day = ''] =
    DATE.exec(isBefore ? text.slice(0, -ERA.length) : text) ?? [];
  if (digits === undefined) return undefined;
  const year = isBefore ? 1n - BigInt(digits) : BigInt(digits);
  return { units: dayNumber(year, BigInt(month), BigInt(day)), scale: 0 };
}

/** @param hasEras whether the year before 1 is 1 BC, not 0 */
export function printDay(units: bigint, hasEras = true): string {
  const [year, month, day] = dayOf(units);
  const [digits, era] = year > 0n || !hasEras ? [year, ''] : [1n - year, ERA];
  return `${pad(digits, 4)}-${pad(month, 2)}-${pad(day, 2)}${era}`;
}

export function readTimeOfDay(text: string): Scaled | undefined {
  const [, sign, hours = '', minutes = '', seconds = '', fraction = ''] = TIME.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

export function printTimeOfDay({ units, scale }: Scaled): string {
  const size = units < 0n ? -units : units;
  const [seconds, fraction] = [size / 10n ** BigInt(scale), size % 10n ** BigInt(scale)];
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  const clock = parts.map((part) => pad(part, 2)).join(':');
  const digits = fraction === 0n ? '' : `.${pad(fraction, scale).replace(/0+$/, '')}`;
  return `${units < 0n ? '-' : ''}${clock}${digits}`;
}

/** A date with its time in seconds; one in UTC ends with `Z`. */
export function readMoment(text: string): Scaled | undefined {
  const [, date = '', time = '', era = ''] = /^([\d-]+)T([\d:.]+)Z?( BC)?$/.exec(text) ?? [];
  const [day, clock] = [readDay(date + era), readTimeOfDay(time)];
  if (day === undefined || clock === undefined) return undefined;
  const midnight = day.units * DAY_SECONDS * 10n ** BigInt(clock.scale);
  return { units: midnight + clock.units, scale: clock.scale };
}

/** @param zone what follows the time: nothing, `Z` or an offset */
export function printMoment({ units, scale }: Scaled, zone: string, hasEras = true): string {
  const dayUnits = DAY_SECONDS * 10n ** BigInt(scale);
  const day = floorDivide(units, dayUnits);
  const date = printDay(day, hasEras);
  const clock = printTimeOfDay({ units: units - day * dayUnits, scale });
  const isBefore = date.endsWith(ERA);
  return `${isBefore ? date.slice(0, -ERA.length) : date}T${clock}${zone}${isBefore ? ERA : ''}`;
}

function pad(number: bigint, length: number): string {
  return String(number).padStart(length, '0');
}
