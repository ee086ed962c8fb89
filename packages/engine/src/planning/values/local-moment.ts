import { printDay, printMoment, readDay, readMoment } from '../../calendar.ts';
import type { Attribute } from '../../catalogue/model.ts';
import { TimeZone } from '../zones/time-zone.ts';

const HOUR = 3600 * 1000;

const SECONDS = /(\d{4,6}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;
const OFFSET = /([+-](?:0\d|1[0-5]):[0-5]\d(?::[0-5]\d)?)/;
const LOCAL = new RegExp(`^(${SECONDS.source})(\\.\\d{1,6})?${OFFSET.source}( BC)?$`);

/**
 * In UTC, what groups of hours and bounds of bins show of a zone beyond RFC 3339, such as offsets
 * with seconds. Other values stay as they are.
 */
export function localInUtc(value: unknown, attribute: Attribute): unknown {
  const [, seconds = '', date, fraction = '', shown = '', era = ''] =
    (typeof value === 'string' ? LOCAL.exec(value) : null) ?? [];
  const isUsual = attribute.zone === undefined && shown.length < 9;
  const [day, moment] = [readDay(`${date}${era}`), readMoment(seconds + era)];
  // SQLite has a year 0.
  const hasEras = attribute.storedAs === undefined;
  const isDay = day !== undefined && printDay(day.units, hasEras) === `${date}${era}`;
  if (isUsual || moment === undefined || !isDay) return value;
  const offset = millisecondsOf(shown);
  const instant = begunAt(Number(moment.units) * 1000 - offset, offset, attribute);
  return printMoment({ units: BigInt(instant / 1000), scale: 0 }, `${fraction}Z`, hasEras);
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
