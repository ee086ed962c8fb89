import type { WireType } from '@proj/contract';

import { isDayOfMonth } from './calendar.ts';

/** What a date is compared as: a day alone, or a day with its time. */
export type DateForm = 'date' | 'timestamp';

/** The form of the values of a type. */
export function dateForm(type: WireType): DateForm {
  return type === 'date' ? 'date' : 'timestamp';
}

const DATE = /(\d{4})-(\d{2})-(\d{2})/;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.(\d+))?)?/;
const ZONE = /[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d/;

/**
 * The forms of https://sqlite.org/lang_datefunc.html that name a day, with any number of digits of
 * a second.
 */
const TEXT = new RegExp(`^${DATE.source}(?:[ T]${TIME.source} *(${ZONE.source})?)?$`);

/** Zones without arithmetic, which would take five times as long. */
const UTC = /^[Zz]$|^[+-]00:00$/;

/** The date and time in UTC that a text names, or undefined where it is no date. */
export function momentOfText(text: string): string | undefined {
  const parts = TEXT.exec(text);
  if (parts === null || !isDayOfMonth(Number(parts[1]), Number(parts[2]), Number(parts[3])))
    return undefined;
  const [, , , , fraction, zone] = parts;
  const local = `${text.slice(0, 10)}T${minutesOf(text)}`;
  const utc = zone === undefined || UTC.test(zone) ? local : isoSeconds(Date.parse(local + zone));
  return utc && withFraction(utc, fraction);
}

function minutesOf(text: string): string {
  if (text.length === 10) return '00:00:00';
  return text[16] === ':' ? text.slice(11, 19) : `${text.slice(11, 16)}:00`;
}

/** A date and time in the form of its type; undefined where a day alone has another time. */
export function inForm(moment: string | undefined, form: DateForm): string | undefined {
  if (form === 'timestamp') return moment;
  return moment?.endsWith('T00:00:00') === true ? moment.slice(0, 10) : undefined;
}

/** Whether a text is a date of this type in a database that has no type for dates. */
export function isDateText(text: string, type: WireType): boolean {
  return inForm(momentOfText(text), dateForm(type)) !== undefined;
}

/** Undefined outside of the years 0000 to 9999. */
export function isoSeconds(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 19) : undefined;
}

/** A date and time with the digits of its fraction, without zeros at their end. */
export function withFraction(seconds: string, fraction = ''): string {
  let length = fraction.length;
  while (fraction[length - 1] === '0') length -= 1;
  return length === 0 ? seconds : `${seconds}.${fraction.slice(0, length)}`;
}
