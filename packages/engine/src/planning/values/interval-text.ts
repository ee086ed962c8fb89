import type { Extreme } from '../../catalogue/relation.ts';

const printed = (name: string, unit: string): string =>
  String.raw`(?: ?(?<${name}>[+-]?\d{1,10}) ${unit}s?)?`;
const CLOCK = String.raw`(?: ?(?<hours>[+-]?\d{2,10}):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)?`;
const IN_WORDS = new RegExp(
  `^(?! )${printed('years', 'year')}${printed('months', 'mon')}${printed('days', 'day')}${CLOCK}$`,
);

const iso = (name: string, unit: string): string => String.raw`(?:(?<${name}>-?\d{1,10})${unit})?`;
const MINUTES = String.raw`(?:-?\d{1,9}M)?(?:-?\d{1,9}(?:\.\d{1,6})?S)?`;
const ISO_8601 = new RegExp(
  String.raw`^P(?=[-\dT])${iso('years', 'Y')}${iso('months', 'M')}${iso('days', 'D')}` +
    `(?:T(?=.)${iso('hours', 'H')}${MINUTES})?$`,
);

/** Of months and days; of hours that many are within 64 bits of microseconds. */
const MOST = 2 ** 31 - 1;

/** As `1 day 02:00:00`, or in ISO 8601; within the limits of the type. */
export function readInterval(value: unknown, extremes: readonly Extreme[]): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (value === 'infinity' || value === '-infinity')
    return extremes.includes('infinity') ? value : undefined;
  const { groups } = IN_WORDS.exec(value) ?? ISO_8601.exec(value) ?? {};
  if (groups === undefined) return undefined;
  const [years = 0, months = 0, days = 0, hours = 0] = [
    groups['years'],
    groups['months'],
    groups['days'],
    groups['hours'],
  ].map((digits) => Math.abs(Number(digits ?? 0)));
  return [years * 12 + months, days, hours].every((count) => count < MOST) ? value : undefined;
}
