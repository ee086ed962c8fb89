import { dayNumber, dayOf, floorDivide } from '../../calendar.ts';
import type { Scaled } from '../../decimals.ts';

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

export function printDay(units: bigint): string {
  const [year, month, day] = dayOf(units);
  const [digits, era] = year > 0n ? [year, ''] : [1n - year, ERA];
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
  return `${units < 0n ? '-' : ''}${clock}${printFraction(fraction, scale)}`;
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
export function printMoment({ units, scale }: Scaled, zone: string): string {
  const dayUnits = DAY_SECONDS * 10n ** BigInt(scale);
  const day = floorDivide(units, dayUnits);
  const date = printDay(day);
  const clock = printTimeOfDay({ units: units - day * dayUnits, scale });
  const isBefore = date.endsWith(ERA);
  return `${isBefore ? date.slice(0, -ERA.length) : date}T${clock}${zone}${isBefore ? ERA : ''}`;
}

function printFraction(fraction: bigint, scale: number): string {
  return fraction === 0n ? '' : `.${pad(fraction, scale).replace(/0+$/, '')}`;
}

function pad(number: bigint, length: number): string {
  return String(number).padStart(length, '0');
}
