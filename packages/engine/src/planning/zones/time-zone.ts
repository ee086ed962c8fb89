import { nameText, type RequestError } from '@proj/contract';
import { LRUCache } from 'lru-cache';

import type { Attribute } from '../../catalogue/model.ts';
import { quote, suggestion } from '../unknown-name.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** No zone was further from UTC than Manila, until 1844, by 15:56. */
const FURTHEST = 16 * HOUR;

/** No zone had another offset before this year. */
const FIRST_YEAR = 1800;

/** Zones keep their rules from here on; 28 years have all kinds of a year without a century. */
export const RULED_YEARS = { first: 2101, last: 2128 } as const;

/** No two changes of a zone were closer than seven days: Boa Vista, in 2000. */
const STEP = 4 * DAY;

/** Their periods, and SQL made of them, take up to 200 kB each. */
const MOST_KNOWN = 64;

/** In milliseconds since 1970, `before` excluded. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export interface Period {
  /** The first period begins at -Infinity. */
  readonly from: number;
  readonly offset: number;
}

/** Of https://www.iana.org/time-zones, as Node ships it. Times in milliseconds since 1970. */
export class TimeZone {
  static readonly #known = new LRUCache<string, TimeZone>({ max: MOST_KNOWN });

  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  #periods: readonly Period[] | undefined;

  private constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en', { ...CLOCK, timeZone: name });
  }

  /** Undefined for unknown zones and offsets such as `+01:00`. */
  static named(name: string): TimeZone | undefined {
    const lower = name.toLowerCase();
    const known = TimeZone.#known.get(lower);
    if (known !== undefined || !/^[a-z]/.test(lower)) return known;
    try {
      const zone = new TimeZone(lower);
      TimeZone.#known.set(lower, zone);
      return zone;
    } catch {
      return undefined;
    }
  }

  /** To the end of the ruled years; kept, as they take some 50 ms to find. */
  get periods(): readonly Period[] {
    this.#periods ??= this.#offsets(...BOTH_ENDS, STEP).map(({ from, offset }, index) => ({
      from: index === 0 ? -Infinity : from,
      offset,
    }));
    return this.#periods;
  }

  /** Also of moments that a Date does not reach. */
  offsetAt(instant: number): number {
    const cycles = Math.max(0, Math.ceil((instant - LAST_DATE) / CYCLE));
    return this.#offsetAt(instant - cycles * CYCLE);
  }

  /** Two where a clock goes back over midnight, none for a skipped day. */
  spansOfDay(day: number): Span[] {
    const spans: Span[] = [];
    for (const { from, before, offset } of this.#offsets(day - FURTHEST, day + DAY + FURTHEST)) {
      const span = {
        from: Math.max(from, day - offset),
        before: Math.min(before, day + DAY - offset),
      };
      if (span.from >= span.before) continue;
      const last = spans.at(-1);
      if (last?.before === span.from) spans[spans.length - 1] = { ...span, from: last.from };
      else spans.push(span);
    }
    return spans;
  }

  #offsets(from: number, before: number, step = HOUR): (Span & { offset: number })[] {
    let last = { from, before, offset: this.offsetAt(from) };
    const found = [last];
    for (let at = from + step; at < before; at += step) {
      const offset = this.offsetAt(at);
      if (offset === last.offset) continue;
      last.before = this.#changeBetween(at - step, at);
      last = { from: last.before, before, offset };
      found.push(last);
    }
    return found;
  }

  #changeBetween(from: number, to: number): number {
    let [low, high] = [from / SECOND, to / SECOND];
    const offset = this.offsetAt(from);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle * SECOND) === offset) low = middle;
      else high = middle;
    }
    return high * SECOND;
  }

  #offsetAt(instant: number): number {
    const text = this.#format.format(instant);
    const [month = 0, day = 0, year = 0, hours = 0, ...time] = (text.match(/\d+/g) ?? []).map(
      Number,
    );
    const local = new Date(0);
    // The year before 1 is 1 BC.
    local.setUTCFullYear(text.includes('B') ? 1 - year : year, month - 1, day);
    local.setUTCHours(hours, ...time);
    return local.getTime() - Math.floor(instant / SECOND) * SECOND;
  }
}

const BOTH_ENDS = [Date.UTC(FIRST_YEAR), Date.UTC(RULED_YEARS.last + 1)] as const;

/** A year before the last Date. */
const LAST_DATE = 8.64e15 - 366 * DAY;
/** The calendar and its weekdays repeat. */
const CYCLE = 146_097 * DAY;

/** `1/31/2026 A, 23:59:59`, with `B` for years before 1. */
const CLOCK: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  era: 'narrow',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

export function zoneNamed(name: string): TimeZone {
  const zone = TimeZone.named(name);
  if (zone === undefined) throw new Error(`There is no time zone ${name}.`);
  return zone;
}

export type ZoneReading =
  | { readonly zone: TimeZone | undefined; readonly error?: undefined }
  | { readonly zone?: undefined; readonly error: RequestError };

/** @param isPart whether the request names a part of time: values themselves have no zone */
export function readZone(
  name: string | undefined,
  attribute: Attribute,
  { pointer, isPart = true }: { readonly pointer: string; readonly isPart?: boolean },
): ZoneReading {
  if (name === undefined) return { zone: undefined };
  const zone = TimeZone.named(name);
  if (zone === undefined) {
    const detail = `There is no time zone named ${quote(name)}.`;
    return { error: { pointer, code: 'unknown_time_zone', detail, ...meantZone(name) } };
  }
  if (attribute.type === 'timestamp_tz' && isPart) return { zone };
  const why =
    attribute.type === 'timestamp_tz'
      ? 'takes a zone for days, hours and bins only'
      : `is ${attribute.type}, which has no zone`;
  const detail = `${nameText(attribute.name)} ${why}.`;
  return { error: { pointer, code: 'time_zone_not_applicable', detail } };
}

/** `Europe/Paris` for `Paris` or `Europe/Pariss`. */
export function meantZone(name: string): { did_you_mean?: string } {
  const names = Intl.supportedValuesOf('timeZone');
  const lower = name.toLowerCase();
  const sameCity = names.find((zone) => zone.toLowerCase().endsWith(`/${lower}`));
  if (sameCity !== undefined) return { did_you_mean: sameCity };
  const begins = names.filter((zone) => zone.slice(0, 2).toLowerCase() === lower.slice(0, 2));
  return suggestion(name, begins);
}
