import { nameText, type RequestError } from '@proj/contract';

import type { Attribute } from '../../catalogue/model.ts';
import { TimeZone } from './time-zone.ts';
import { quote, suggestion } from '../unknown-name.ts';

export type ZoneReading =
  | { readonly zone: TimeZone | undefined; readonly error?: undefined }
  | { readonly error: RequestError };

/**
 * The zone for a part of time of an attribute.
 *
 * @param isPart whether the request names one: values themselves have no zone
 */
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
