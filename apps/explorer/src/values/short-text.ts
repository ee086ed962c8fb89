import { groupDigits } from '@proj/contract';

import { cellText, isNumeric, textOf } from './cell-text.ts';

/** Numbers from here on are shown without a fraction. */
const LARGE = 1000;
const DIGITS = 4;

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

/** Decimal digits as people read them; what is no number stays as it is. */
export function shortNumber(digits: string): string {
  const value = Number(digits);
  if (!Number.isFinite(value) || /e/i.test(digits)) return digits;
  if (Math.abs(value) >= LARGE) return groupDigits(digits.replace(/\..*$/, ''));
  return String(Number(value.toPrecision(DIGITS)));
}

/** A range for a label. */
export function rangeText(from: string, to: string, type: string): string {
  const [first, last] = [shortText(from, type), shortText(to, type)];
  return first === last ? first : `${first} – ${last}`;
}
