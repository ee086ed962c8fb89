import { groupDigits } from '@proj/contract';

import { cellText, isNumeric, textOf } from './cell-text.ts';

/** Numbers from here on are shown without a fraction. */
const LARGE = 1000;
const DIGITS = 4;
/** As many as `toFixed` takes. */
const MOST_PLACES = 100;

/**
 * A value for a label, such as that of a range: numbers with the digits that matter, moments to the
 * minute. `json` is its JSON text.
 */
export function shortText(json: string, type: string): string {
  if (isNumeric(type)) return shortNumber(textOf(json));
  const { shown } = cellText(json, type);
  const [day, clock = ''] = shown.split(/[ T]/);
  if (type === 'timestamp' || type === 'timestamp_tz')
    return clock.startsWith('00:00') ? String(day) : `${day} ${clock.slice(0, 5)}`;
  return shown;
}

/**
 * Decimal digits as people read them; what is no number stays as it is.
 *
 * @param places of the fraction that matter, where it has as many
 */
export function shortNumber(digits: string, places = 0): string {
  const value = Number(digits);
  if (!Number.isFinite(value) || /e/i.test(digits)) return digits;
  const short =
    Math.abs(value) >= LARGE
      ? digits.replace(/\..*$/, '')
      : String(Number(value.toPrecision(DIGITS)));
  if (fractionOf(short) >= Math.min(places, fractionOf(digits))) return groupDigits(short);
  const isExact = Math.abs(value) * 10 ** places <= Number.MAX_SAFE_INTEGER;
  return groupDigits(isExact ? Number(value.toFixed(places)) : digits);
}

function fractionOf(digits: string): number {
  return digits.split('.')[1]?.length ?? 0;
}

/** A range for a label, with the digits by which its ends differ. */
export function rangeText(from: string, to: string, type: string): string {
  if (from === to) return shortText(from, type);
  const ends = [from, to];
  const places = placesOf(Number(textOf(to)) - Number(textOf(from)));
  const [first, last] = isNumeric(type)
    ? ends.map((end) => shortNumber(textOf(end), places))
    : ends.map((end) => shortText(end, type));
  if (first !== last) return `${first} – ${last}`;
  return ends.map((end) => groupDigits(cellText(end, type).shown)).join(' – ');
}

/** How many places of the fraction matter in a range of this width: all ranges have the same. */
function placesOf(width: number): number {
  const places = Math.ceil(-Math.log10(width)) + 1;
  return places > 0 ? Math.min(places, MOST_PLACES) : 0;
}
