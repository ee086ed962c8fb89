/**
 * The tables. `JSON` and `BOOLEAN` say what the values are meant to be, which STRICT tables would
 * refuse. Constraints also check what the packages deliver: a release of another shape fails the
 * build.
 */
export const TABLES = `
create table continents (
  code text primary key not null check (length(code) = 2),
  name text not null check (name <> '')
);

create table countries (
  code text primary key not null check (length(code) = 2),
  name text not null check (name <> ''),
  native_name text not null check (native_name <> ''),
  continent_code text not null references continents (code),
  part_of_code text references countries (code),
  capital text check (capital <> ''),
  currency_codes json not null check (json_type(currency_codes) = 'array'),
  calling_codes json not null check (json_type(calling_codes) = 'array')
);

create table languages (
  code text primary key not null check (length(code) = 2),
  name text not null check (name <> ''),
  native_name text not null check (native_name <> ''),
  is_right_to_left boolean not null check (is_right_to_left in (0, 1))
);

create table country_languages (
  country_code text not null references countries (code),
  language_code text not null references languages (code),
  position integer not null check (position > 0),
  primary key (country_code, language_code)
) without rowid;

create table time_zones (
  name text primary key not null check (name <> ''),
  generic_name text not null check (generic_name <> ''),
  country_code text not null references countries (code),
  standard_offset_minutes integer not null check (standard_offset_minutes between -840 and 840),
  abbreviation text not null check (abbreviation <> ''),
  summer_abbreviation text check (summer_abbreviation <> ''),
  main_cities json not null check (json_type(main_cities) = 'array'),
  iana_names json not null check (json_type(iana_names) = 'array')
);

create table cities (
  id integer primary key,
  name text not null check (name <> ''),
  country_code text not null references countries (code),
  admin1_code text check (admin1_code <> ''),
  admin2_code text check (admin2_code <> ''),
  admin3_code text check (admin3_code <> ''),
  feature_code text not null check (feature_code <> ''),
  population integer check (population > 0),
  latitude real not null check (latitude between -90 and 90),
  longitude real not null check (longitude between -180 and 180)
);
`;

/** What is made once the rows are in: an index is built faster over a full table. */
export const INDEXES = `
create index countries_continent_code on countries (continent_code);
create index country_languages_language_code on country_languages (language_code);
create index time_zones_country_code on time_zones (country_code);
create index cities_country_code_population on cities (country_code, population desc);
create index cities_population on cities (population desc);
create index cities_name on cities (name);
`;

/**
 * Each figure is a subquery of its own, so that a page computes no more than it shows. The casts
 * give the columns a type.
 */
export const VIEWS = `
create view country_statistics as
select
  countries.code as country_code,
  countries.name as country_name,
  cast((select count(*) from cities where country_code = countries.code) as integer) as city_count,
  cast(
    (select sum(population) from cities where country_code = countries.code) as integer
  ) as city_population,
  (select name from cities where country_code = countries.code and population is not null
    order by population desc, id limit 1) as largest_city,
  cast(
    (select max(population) from cities where country_code = countries.code) as integer
  ) as largest_city_population
from countries;
`;
