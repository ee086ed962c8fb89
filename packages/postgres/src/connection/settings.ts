/** Readers; readers and the feed; or own sessions only, where transactions set it otherwise. */
type SettingPlace = 'reading' | 'everywhere' | 'own session';

interface Setting {
  /** Undefined: the value of the role, database or URL, which a pooler may have changed. */
  readonly value?: string;
  readonly why: string;
}

type Settings = Readonly<Record<string, Setting>>;

export interface ReliedSetting extends Setting {
  readonly name: string;
  readonly place: SettingPlace;
}

/** Means nothing to the server; it marks sessions started with our settings. */
export const MARKER = 'dynamic_query.session';

const READING: Settings = {
  lock_timeout: { value: '2000', why: 'a page does not hang behind `alter table`; then 503' },
  client_connection_check_interval: {
    value: '1000',
    why: 'since 14: the server ends a query whose connection is gone, within a second',
  },
};

const EVERYWHERE: Settings = {
  jit: {
    value: 'off',
    why: 'a page has an expression for each attribute; compiling takes longer than running them',
  },
  row_security: {
    value: 'on',
    why: '`off` makes an error of each table that has policies for the role',
  },
  gin_fuzzy_search_limit: {
    value: '0',
    why: 'a limit makes scans of GIN indexes return some of the rows, by chance',
  },
  transform_null_equals: { value: 'off', why: '`on` makes `= null` select rows' },
  array_nulls: { value: 'on', why: '`off` reads NULL in the text of an array as a word' },
  quote_all_identifiers: {
    value: 'off',
    why: '`on` gives names and definitions of views another text',
  },
  client_encoding: { value: 'UTF8', why: 'what is sent and received is read as UTF-8' },
  timezone: { value: 'UTC', why: 'instants travel in UTC' },
  datestyle: {
    value: 'ISO, MDY',
    why: 'dates have one form, also inside of arrays, ranges and composites',
  },
  intervalstyle: { value: 'postgres', why: 'intervals have one form' },
  extra_float_digits: {
    value: '1',
    why: 'floating point numbers have the digits that read back to them',
  },
  bytea_output: { value: 'hex', why: 'bytes inside of other values have one form' },
  standard_conforming_strings: { value: 'on', why: 'a backslash in a literal means itself' },
  backslash_quote: {
    value: 'safe_encoding',
    why: "`off` makes an error of a function whose text has a quote as `\\'`",
  },
  exit_on_error: {
    value: 'off',
    why: '`on` ends the session by an error too that a function catches',
  },
};

const KEPT: Settings = {
  session_authorization: {
    why: 'the login is our own, also where another client of a pooler is a superuser and left it',
  },
  role: { why: 'rights and policies are those of the login' },
  search_path: {
    why:
      'names without a schema mean the same each time. Without `pg_catalog` where that comes ' +
      'behind another schema, whose functions would take the place of those that we call',
  },
  lc_monetary: { why: 'how many digits `money` has behind the point' },
  lc_numeric: { why: 'what views make of `to_char`' },
  lc_time: { why: 'the same, for dates' },
  default_text_search_config: { why: 'what views make of `to_tsvector`' },
  timezone_abbreviations: { why: 'what views read from texts such as `12:00 EST`' },
  xmlbinary: { why: 'what views make of `xmlelement`' },
  xmloption: { why: 'what views make of casts to `xml`' },
};

const OWN_SESSION: Settings = {
  default_transaction_isolation: {
    value: 'read committed',
    why:
      'a single statement takes its snapshot when it has locked what it reads: an earlier one ' +
      'shows the empty table of a `truncate` that was waited for',
  },
  default_transaction_read_only: {
    value: 'on',
    why: 'no statement writes, including through a function that a view calls',
  },
  [MARKER]: {
    value: 'on',
    why: 'means nothing to the server: shows that start-up parameters reach the session',
  },
};

/** Over all other settings, if the server knows them. test/judged-settings.test.ts has the rest. */
export const RELIED_SETTINGS: readonly ReliedSetting[] = [
  ...setFor('reading', READING),
  ...setFor('everywhere', EVERYWHERE),
  ...setFor('reading', KEPT),
  ...setFor('own session', OWN_SESSION),
];

function setFor(place: SettingPlace, settings: Settings): ReliedSetting[] {
  return Object.entries(settings).map(([name, setting]) => ({ name, place, ...setting }));
}
