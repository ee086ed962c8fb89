import { Buffer } from 'node:buffer';

import { Decimals, Moments, type StoredAs } from '@proj/engine/database';

export type SqlValue = null | number | bigint | string | Uint8Array;

/** Begins the form of a value that is no date, and sorts after all dates. */
export const NO_DATE = '~';

/**
 * No trailing zeros, UTC where a zone is given: two values have one form exactly if they travel as
 * one text. A value that is no date is its text after {@link NO_DATE}.
 */
export function comparedForm(
  value: Exclude<SqlValue, null>,
  form: Moments.DateForm,
  storedAs: StoredAs,
): string {
  return Moments.inForm(momentOf(value, storedAs), form) ?? NO_DATE + textForm(value);
}

export function textForm(value: Exclude<SqlValue, null>): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return typeof value === 'number' ? Decimals.decimalDigits(value) : String(value);
}

/** Texts are dates however numbers are read. */
function momentOf(value: Exclude<SqlValue, null>, storedAs: StoredAs): string | undefined {
  if (typeof value === 'string') return Moments.momentOfText(value);
  if (
    value instanceof Uint8Array ||
    storedAs === 'text' ||
    Math.abs(Number(value)) > LARGEST_NUMBER
  )
    return undefined;
  if (storedAs === 'julian_day') {
    // SQLite counts, and rounds to, milliseconds since noon of the first Julian day.
    const unix = Math.floor(Number(value) * 86_400_000 + 0.5) - 210_866_760_000_000;
    return momentOfUnix(Decimals.decimalDigits(unix), 3);
  }
  return momentOfUnix(textForm(value), storedAs === 'unix_seconds' ? 0 : 3);
}

const LARGEST_NUMBER = 1e15;

/** @param digits seconds since 1970 in decimal digits, multiplied by 10^`scale` */
function momentOfUnix(digits: string, scale: number): string | undefined {
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length + scale;
  if (places === 0) return Moments.isoSeconds(Number(whole) * 1000);
  const unit = 10n ** BigInt(places);
  const units = BigInt(whole + fraction);
  const rest = ((units % unit) + unit) % unit;
  const seconds = Moments.isoSeconds(Number((units - rest) / unit) * 1000);
  return seconds && Moments.withFraction(seconds, String(rest).padStart(places, '0'));
}

/** For people: `YYYY-MM-DD HH:MM:SS.fZ`, or the type of another value. */
export function storedForm(value: Exclude<SqlValue, null>): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'real';
  if (typeof value !== 'string') return 'blob';
  if (Moments.momentOfText(value) === undefined) return 'no date';
  const [, separator = '', minutes = '', seconds = '', fraction = '', zone = ''] =
    /^.{10}(?:(.)(.{5})(:\d\d)?(\.\d+)?(.*))?$/.exec(value) ?? [];
  const offset = /^ *[+-]/.test(zone) ? zone.replace(/[+-].*/, '+HH:MM') : zone;
  const time = `${minutes && 'HH:MM'}${seconds && ':SS'}${fraction && '.f'}`;
  return `YYYY-MM-DD${separator}${time}${offset}`;
}
