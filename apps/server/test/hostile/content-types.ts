/** Content types that are not JSON in UTF-8, though some are taken for it elsewhere. */
export const REFUSED_CONTENT_TYPES: readonly string[] = [
  '',
  ' ',
  ';',
  'application/',
  '*/*',
  'application/*',
  '__proto__',
  'text/plain',
  'text/json',
  'text/csv',
  'application/problem+json',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  // white space and separators that parsers disagree on: CVE-2025-32442, CVE-2026-25223
  'application/ json',
  'application /json',
  'application\t/json',
  'application/\tjson',
  'application/json application/json',
  'application/json x',
  'application/json,text/plain',
  'application/json, application/json',
  'text/plain, application/json',
  'text/plain; application/json',
  'application/json/x',
  'application/json\ttext/plain',
  'application/json\t; charset=utf-16',
  'text/plain\t;application/json',
  'application/jsonx',
  'xapplication/json',
  '"application/json"',
  // charsets
  ...['UTF-16', 'utf8', 'iso-8859-1', 'utf-8x'].map(
    (charset) => `application/json; charset=${charset}`,
  ),
  'application/json;charset="utf-16"',
  'application/json; CHARSET=UTF-16',
  'application/json;charset=utf-16;charset=utf-8',
  "application/json; charset='utf-8'",
];

/** Spellings of JSON in UTF-8 (RFC 9110 §8.3). */
export const TAKEN_CONTENT_TYPES: readonly string[] = [
  'application/json',
  'Application/JSON',
  'APPLICATION/JSON',
  ' application/json',
  'application/json ',
  'application/json;',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; charset=utf-8',
  'application/json; x=y',
  'application/json; version=1; charset=Utf-8',
  'application/json	',
  'application/json;	charset=utf-8',
];

/** Content codings, none of which is read. */
export const REFUSED_CODINGS: readonly string[] = ['gzip', 'br', 'identity, gzip', 'utf-8', ''];
