/** Readers; readers and the feed; or own sessions only, where transactions set it otherwise. */
type SettingPlace = 'reading' | 'everywhere' | 'own session';

export interface ReliedSetting {
  readonly name: string;
  /** Undefined: the value of the role, database or URL, which a pooler may have changed. */
  readonly value: string | undefined;
  readonly place: SettingPlace;
  readonly why: string;
}

/** Means nothing to the server; it marks sessions started with our settings. */
export const MARKER = 'dynamic_query.session';

/** Over all other settings, if the server knows them. test/judged-settings.test.ts has the rest. */
export const RELIED_SETTINGS: readonly ReliedSetting[] = [
  {
    name: 'lock_timeout',
    value: '2000',
    place: 'reading',
    why: 'a page does not hang behind `alter table`; then 503',
  },
  {
    name: 'client_connection_check_interval',
    value: '1000',
    place: 'reading',
    why: 'since 14: the server ends a query whose connection is gone, within a second',
  },
  {
    name: 'jit',
    value: 'off',
    place: 'everywhere',
    why: 'a page has an expression for each attribute; compiling takes longer than running them',
  },
  {
    name: 'row_security',
    value: 'on',
    place: 'everywhere',
    why: '`off` makes an error of each table that has policies for the role',
  },
  {
    name: 'gin_fuzzy_search_limit',
    value: '0',
    place: 'everywhere',
    why: 'a limit makes scans of GIN indexes return some of the rows, by chance',
  },
  {
    name: 'transform_null_equals',
    value: 'off',
    place: 'everywhere',
    why: '`on` makes `= null` select rows',
  },
  {
    name: 'array_nulls',
    value: 'on',
    place: 'everywhere',
    why: '`off` reads NULL in the text of an array as a word',
  },
  {
    name: 'quote_all_identifiers',
    value: 'off',
    place: 'everywhere',
    why: '`on` gives names and definitions of views another text',
  },
  {
    name: 'client_encoding',
    value: 'UTF8',
    place: 'everywhere',
    why: 'what is sent and received is read as UTF-8',
  },
  {
    name: 'timezone',
    value: 'UTC',
    place: 'everywhere',
    why: 'instants travel in UTC',
  },
  {
    name: 'datestyle',
    value: 'ISO, MDY',
    place: 'everywhere',
    why: 'dates have one form, also inside of arrays, ranges and composites',
  },
  {
    name: 'intervalstyle',
    value: 'postgres',
    place: 'everywhere',
    why: 'intervals have one form',
  },
  {
    name: 'extra_float_digits',
    value: '1',
    place: 'everywhere',
    why: 'floating point numbers have the digits that read back to them',
  },
  {
    name: 'bytea_output',
    value: 'hex',
    place: 'everywhere',
    why: 'bytes inside of other values have one form',
  },
  {
    name: 'standard_conforming_strings',
    value: 'on',
    place: 'everywhere',
    why: 'a backslash in a literal means itself',
  },
  {
    name: 'backslash_quote',
    value: 'safe_encoding',
    place: 'everywhere',
    why: "`off` makes an error of a function whose text has a quote as `\\'`",
  },
  {
    name: 'exit_on_error',
    value: 'off',
    place: 'everywhere',
    why: '`on` ends the session by an error too that a function catches',
  },
  {
    name: 'session_authorization',
    value: undefined,
    place: 'reading',
    why: 'the login is our own, also where another client of a pooler is a superuser and left it',
  },
  {
    name: 'role',
    value: undefined,
    place: 'reading',
    why: 'rights and policies are those of the login',
  },
  {
    name: 'search_path',
    value: undefined,
    place: 'reading',
    why:
      'names without a schema mean the same each time. Without `pg_catalog` where that comes ' +
      'behind another schema, whose functions would take the place of those that we call',
  },
  {
    name: 'lc_monetary',
    value: undefined,
    place: 'reading',
    why: 'how many digits `money` has behind the point',
  },
  {
    name: 'lc_numeric',
    value: undefined,
    place: 'reading',
    why: 'what views make of `to_char`',
  },
  {
    name: 'lc_time',
    value: undefined,
    place: 'reading',
    why: 'the same, for dates',
  },
  {
    name: 'default_text_search_config',
    value: undefined,
    place: 'reading',
    why: 'what views make of `to_tsvector`',
  },
  {
    name: 'timezone_abbreviations',
    value: undefined,
    place: 'reading',
    why: 'what views read from texts such as `12:00 EST`',
  },
  {
    name: 'xmlbinary',
    value: undefined,
    place: 'reading',
    why: 'what views make of `xmlelement`',
  },
  {
    name: 'xmloption',
    value: undefined,
    place: 'reading',
    why: 'what views make of casts to `xml`',
  },
  {
    name: 'default_transaction_isolation',
    value: 'read committed',
    place: 'own session',
    why:
      'a single statement takes its snapshot when it has locked what it reads: an earlier one ' +
      'shows the empty table of a `truncate` that was waited for',
  },
  {
    name: 'default_transaction_read_only',
    value: 'on',
    place: 'own session',
    why: 'no statement writes, including through a function that a view calls',
  },
  {
    name: MARKER,
    value: 'on',
    place: 'own session',
    why: 'means nothing to the server: shows that start-up parameters reach the session',
  },
];
