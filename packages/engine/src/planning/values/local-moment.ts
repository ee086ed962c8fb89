import { CYCLES, isDayOfMonth, utcOf } from '../../calendar.ts';
import type { Attribute } from '../../catalogue/model.ts';
import { printSeconds } from '../../moment-text.ts';
import { TimeZone } from '../zones/time-zone.ts';

const HOUR = 3600 * 1000;

const DATE = /^(\d{4,6})-(\d\d)-(\d\d)/;
const TIME = /T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,6})?/;
const OFFSET = /([+-](?:0\d|1[0-5]):[0-5]\d(?::[0-5]\d)?)( BC)?$/;
const LOCAL = new RegExp(DATE.source + TIME.source + OFFSET.source);

/**
 * In UTC, what groups of hours and bounds of bins show of a zone beyond RFC 3339, such as offsets
 * with seconds. Other values stay as they are.
 */
export function localInUtc(value: unknown, attribute: Attribute): unknown {
  const [, ...parts] = (typeof value === 'string' ? LOCAL.exec(value) : null) ?? [];
  const [fraction = '', shown = '', era] = parts.slice(6);
  const [digits = 0, month = 0, day = 0, ...time] = parts.slice(0, 6).map(Number);
  const year = era === undefined ? digits : 1 - digits;
  const isUsual = attribute.zone === undefined && shown.length < 9;
  if (isUsual || !isDayOfMonth(year, month, day)) return value;
  const skipped = year > 2 * CYCLES ? CYCLES : 0;
  const local = utcOf([year - skipped, month, day], time);
  const offset = millisecondsOf(shown);
  const instant = begunAt(local - offset, offset, attribute);
  // SQLite has a year 0.
  const hasEras = attribute.storedAs === undefined;
  const [seconds, bc] = printSeconds(instant, { skipped, hasEras });
  return `${seconds}${fraction}Z${bc}`;
}

function millisecondsOf(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * (offset.startsWith('-') ? -1000 : 1000);
}

/** A group of an hour whose clock was put to within it begins then. */
function begunAt(instant: number, offset: number, attribute: Attribute): number {
  const zone = attribute.zone === undefined ? undefined : TimeZone.named(attribute.zone);
  if (zone === undefined || zone.offsetAt(instant) === offset) return instant;
  const begun = zone.periods.find(
    (period) => period.offset === offset && period.from > instant && period.from < instant + HOUR,
  );
  return begun?.from ?? instant;
}
