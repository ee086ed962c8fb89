import type { WireType } from '@proj/contract';

import { isDayOfMonth } from './calendar.ts';

export type DateForm = 'date' | 'timestamp';

export function dateForm(type: WireType): DateForm {
  return type === 'date' ? 'date' : 'timestamp';
}

const DATE = /(\d{4})-(\d{2})-(\d{2})/;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.(\d+))?)?/;
const ZONE = /[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d/;

/** Of https://sqlite.org/lang_datefunc.html, with any number of digits of a second. */
const TEXT = new RegExp(`^${DATE.source}(?:[ T]${TIME.source} *(${ZONE.source})?)?$`);

/** Zones without arithmetic, which would take five times as long. */
const UTC = /^[Zz]$|^[+-]00:00$/;

/** In UTC; undefined where the text is no date. */
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

/** Undefined where a day alone has another time. */
export function inForm(moment: string | undefined, form: DateForm): string | undefined {
  if (form === 'timestamp') return moment;
  return moment?.endsWith('T00:00:00') === true ? moment.slice(0, 10) : undefined;
}

export function isDateText(text: string, type: WireType): boolean {
  return inForm(momentOfText(text), dateForm(type)) !== undefined;
}

/** Undefined outside the years 0000 to 9999. */
export function isoSeconds(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 19) : undefined;
}

export function withFraction(seconds: string, fraction = ''): string {
  let length = fraction.length;
  while (fraction[length - 1] === '0') length -= 1;
  return length === 0 ? seconds : `${seconds}.${fraction.slice(0, length)}`;
}

/** `+05:30`, or `+00:09:21` where clocks were set by the sun. */
export function printOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const minutes = Math.floor(size / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60, size % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const shown = size % 60 === 0 ? parts.slice(0, 2) : parts;
  return `${seconds < 0 ? '-' : '+'}${shown.join(':')}`;
}
