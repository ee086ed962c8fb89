/** How a value of one wire type looks in JSON. */
export interface WireTypeFacts {
  /** For readers of the documentation. */
  readonly json: string;
  /** Which columns carry it, and what is kept. */
  readonly note: string;
  /** In JSON. */
  readonly example: string;
}

/**
 * THE table of wire types: every database sends the same JSON for the same value, and no digit is
 * lost.
 */
export const WIRE_TYPES = {
  text: { json: 'string', note: 'character data', example: '"Zürich"' },
  uuid: {
    json: 'string',
    note: 'as the database prints it',
    example: '"7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"',
  },
  enum: { json: 'string', note: 'one of the labels of an enumerated type', example: '"open"' },
  int32: { json: 'number', note: 'whole numbers of 32 bits or fewer', example: '42' },
  int64: {
    json: 'string of digits',
    note:
      'whole numbers of up to 64 bits, and every SQLite INTEGER column: ' +
      'the values may pass 2^53, and in SQLite be floating point',
    example: '"9223372036854775807"',
  },
  decimal: {
    json: 'string',
    note:
      'exact decimals, as stored; "NaN", "Infinity" and "-Infinity" where the database has ' +
      'them',
    example: '"12.50"',
  },
  float64: {
    json: 'number; "NaN", "Infinity" and "-Infinity" as strings',
    note: 'binary floating point; the shortest digits that read back to the same value',
    example: '0.1',
  },
  boolean: {
    json: 'true or false',
    note: 'truth values; another value, where the catalogue says `misfits`, is a string',
    example: 'true',
  },
  date: {
    json: 'string',
    note:
      'RFC 3339 full-date; days that it does not know as the database prints them: ' +
      '"infinity", "0044-03-15 BC", "0000-00-00"',
    example: '"2026-01-31"',
  },
  time: {
    json: 'string',
    note:
      'RFC 3339 partial-time; microseconds are kept; ' +
      '"24:00:00", and on MariaDB "-838:59:59" to "838:59:59"',
    example: '"23:59:59.999999"',
  },
  timestamp: {
    json: 'string',
    note:
      'date and time without a zone; microseconds are kept; ' +
      'days beyond RFC 3339 as with `date`',
    example: '"2026-01-31T23:59:59.999999"',
  },
  timestamp_tz: {
    json: 'string',
    note:
      'an instant, always in UTC with Z; microseconds are kept; ' +
      'days beyond RFC 3339 as with `date`',
    example: '"2026-01-31T22:59:59.999999Z"',
  },
  interval: {
    json: 'string',
    note: 'a length of time as PostgreSQL prints it; filters also take ISO 8601, such as "P1DT2H"',
    example: '"1 day 02:00:00"',
  },
  inet: {
    json: 'string',
    note: 'an address or a network, as PostgreSQL prints `inet` and `cidr`',
    example: '"10.0.0.0/8"',
  },
  range: {
    json: 'string',
    note: 'a range or several, as PostgreSQL prints them; `items` is the type of the bounds',
    example: '"[1,5)"',
  },
  bytes: { json: 'string', note: 'base64 with padding, RFC 4648 §4', example: '"3q2+7w=="' },
  json: {
    json: 'any JSON value',
    note: 'the stored value itself, its numbers untouched',
    example: '{"a":[1,2.50]}',
  },
  array: { json: 'array', note: 'of any of the above', example: '["a","b"]' },
  any: {
    json: 'number or string; else `{"number": "…"}` or `{"bytes": "…"}`',
    note:
      'a value of any kind, as SQLite columns without a declared type hold: texts as strings, ' +
      'blobs as `bytes` in base64, numbers as they are (a floating point one has a point or an ' +
      'exponent), and beyond ±(2^53 − 1) as `number` in digits',
    example: '{"number":"9223372036854775807"}',
  },
  other: {
    json: 'string',
    note: "anything else, in the database's own text form",
    example: '"(1,2)"',
  },
} as const satisfies Record<string, WireTypeFacts>;

/** As in the catalogue. */
export type WireType = keyof typeof WIRE_TYPES;
