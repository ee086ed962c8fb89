import { rawTimeZones } from '@vvo/tzdb';

import { type TableRows, textOrNull } from './rows.ts';

/**
 * The time zones of npm @vvo/tzdb. Its continents are left out: they are those of whole countries,
 * and contradict the continents of the countries table for Russia.
 */
export function timeZoneTable(): TableRows {
  return {
    table: 'time_zones',
    columns: [
      'name',
      'generic_name',
      'country_code',
      'standard_offset_minutes',
      'abbreviation',
      'summer_abbreviation',
      'main_cities',
      'iana_names',
    ],
    rows: rawTimeZones.map((zone) => [
      zone.name,
      zone.alternativeName,
      zone.countryCode,
      zone.rawOffsetInMinutes,
      zone.abbreviation,
      textOrNull(zone.dstAbbreviation),
      JSON.stringify(zone.mainCities),
      JSON.stringify(zone.group),
    ]),
    count: rawTimeZones.length,
  };
}
