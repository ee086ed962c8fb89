import { continents, countries, languages } from 'countries-list';

import { type TableRows, textOrNull } from './rows.ts';

/** The tables of npm countries-list, each after those that it refers to. */
export function countryTables(): TableRows[] {
  return [continentRows(), countryRows(), languageRows(), countryLanguageRows()];
}

function continentRows(): TableRows {
  const rows = Object.entries(continents);
  return { table: 'continents', columns: ['code', 'name'], rows, count: rows.length };
}

function countryRows(): TableRows {
  const rows = Object.entries(countries).map(([code, country]) => [
    code,
    country.name,
    withoutDirectionMarks(country.native),
    country.continent,
    'partOf' in country ? country.partOf : null,
    textOrNull(country.capital),
    JSON.stringify(country.currency),
    JSON.stringify(country.phone),
  ]);
  const columns = [
    'code',
    'name',
    'native_name',
    'continent_code',
    'part_of_code',
    'capital',
    'currency_codes',
    'calling_codes',
  ];
  return { table: 'countries', columns, rows, count: rows.length };
}

function languageRows(): TableRows {
  const rows = Object.entries(languages).map(([code, language]) => [
    code,
    language.name,
    withoutDirectionMarks(language.native),
    'rtl' in language ? language.rtl : 0,
  ]);
  return {
    table: 'languages',
    columns: ['code', 'name', 'native_name', 'is_right_to_left'],
    rows,
    count: rows.length,
  };
}

function countryLanguageRows(): TableRows {
  const rows = Object.entries(countries).flatMap(([code, country]) =>
    country.languages.map((language, index) => [code, language, index + 1]),
  );
  return {
    table: 'country_languages',
    columns: ['country_code', 'language_code', 'position'],
    rows,
    count: rows.length,
  };
}

/**
 * Three Arabic names end with an invisible mark, which would make them unequal to what a reader
 * types.
 */
function withoutDirectionMarks(text: string): string {
  return text.replaceAll(/[\u200e\u200f]/gu, '');
}
