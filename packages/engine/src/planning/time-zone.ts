import { suggestion } from './unknown-name.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** No zone was further from UTC than Manila, until 1844, by 15:56. */
const FURTHEST = 16 * HOUR;

/** In milliseconds since 1970, `before` excluded. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

/** Of https://www.iana.org/time-zones, as Node ships it. Times in milliseconds since 1970. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;

  private constructor(format: Intl.DateTimeFormat) {
    this.#format = format;
  }

  /** Undefined for unknown zones and offsets such as `+01:00`. */
  static named(name: string): TimeZone | undefined {
    if (!/^[a-z]/i.test(name)) return undefined;
    try {
      return new TimeZone(new Intl.DateTimeFormat('en', { ...CLOCK, timeZone: name }));
    } catch {
      return undefined;
    }
  }

  /**
   * Two where a clock goes back over midnight, none for a skipped day.
   *
   * @param day midnight of the day in UTC
   */
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

  #offsets(from: number, before: number): (Span & { offset: number })[] {
    const found = [{ from, before, offset: this.#offsetAt(from) }];
    for (let at = from + HOUR; at < before; at += HOUR) {
      const offset = this.#offsetAt(at);
      const last = found.at(-1);
      if (last === undefined || last.offset === offset) continue;
      const change = this.#changeBetween(at - HOUR, at);
      found[found.length - 1] = { ...last, before: change };
      found.push({ from: change, before, offset });
    }
    return found;
  }

  /** The first second of a new offset. */
  #changeBetween(from: number, to: number): number {
    let [low, high] = [from / SECOND, to / SECOND];
    const offset = this.#offsetAt(from);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle * SECOND) === offset) low = middle;
      else high = middle;
    }
    return high * SECOND;
  }

  #offsetAt(instant: number): number {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of this.#format.formatToParts(instant)) parts[type] = value;
    const year = Number(parts.year);
    const local = new Date(0);
    // The year before 1 is 1 BC.
    local.setUTCFullYear(
      parts.era === 'B' ? 1 - year : year,
      Number(parts.month) - 1,
      Number(parts.day),
    );
    local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
    return local.getTime() - instant;
  }
}

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

/** `Europe/Paris` for `Paris` or `Europe/Pariss`. */
export function meantZone(name: string): { did_you_mean?: string } {
  const names = Intl.supportedValuesOf('timeZone');
  const lower = name.toLowerCase();
  const sameCity = names.find((zone) => zone.toLowerCase().endsWith(`/${lower}`));
  if (sameCity !== undefined) return { did_you_mean: sameCity };
  const begins = names.filter((zone) => zone.slice(0, 2).toLowerCase() === lower.slice(0, 2));
  return suggestion(name, begins);
}
