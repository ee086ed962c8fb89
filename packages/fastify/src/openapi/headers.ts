interface Header {
  readonly description: string;
  readonly schema: {
    readonly type: string;
    readonly format?: string;
    readonly pattern?: string;
    readonly minimum?: number;
    readonly enum?: readonly string[];
  };
  readonly example: string | number;
}

const text = { type: 'string' } as const;

/** Besides those of every HTTP reply. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      "Names the request in the operator's log: the caller's own, " +
      'where it sent a plain one, or a new one.',
    schema: text,
    example: '0b6f3a52-6c1f-4b9e-9f57-0d8a4f6f2c11',
  },
  'Cache-Control': {
    description: 'Whether a cache may keep the reply.',
    schema: text,
    example: 'private, no-cache',
  },
  'Server-Timing': {
    description:
      'Where the time went, in milliseconds: finding out who asks, planning, ' +
      'reading the rows, counting.',
    schema: text,
    example: 'auth;dur=0.042, plan;dur=0.081, rows;dur=0.735, count;dur=0.210',
  },
  'Data-Version': {
    description:
      'An opaque token. It is equal on two replies only if the data was the same; ' +
      'absent where the server does not know.',
    schema: text,
    example: 'g7Qx2mW0',
  },
  'Export-Total': {
    description:
      'How many records the list has, and how many follow: a reply with fewer was cut short.',
    schema: { ...text, pattern: '^(0|[1-9][0-9]*)$' },
    example: '135233',
  },
  'Data-Age': {
    description:
      'The reply holds everything that the primary showed so many seconds before it was read: ' +
      '0 where the primary answered. Only where replicas may answer the token.',
    schema: { type: 'number', minimum: 0 },
    example: 0.184,
  },
  'Data-Position': {
    description:
      'Which state the reply shows, as a position in the log of the database. ' +
      'Sent back in `Data-At-Least`, no older state is shown. ' +
      'Only where replicas may answer the token.',
    schema: text,
    example: '0/16B3748@1.mK3xQ0bT',
  },
  'Data-State': {
    description:
      '`approximate` where records and total may be of different states: the model is ' +
      '`distributed`. Absent where they are of one.',
    schema: { ...text, enum: ['approximate'] },
    example: 'approximate',
  },
  'Catalogue-Tag': {
    description:
      'Names the catalogue as the token sees it: equal on two replies only if the catalogue is. ' +
      'A client made from another catalogue is out of date.',
    schema: { ...text, pattern: '^[A-Za-z0-9_-]+$' },
    example: 'Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE',
  },
  ETag: {
    description:
      'Names what the reply holds. Sent back in `If-None-Match`, the reply is 304 ' +
      'while that is the same.',
    schema: text,
    example: '"Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE="',
  },
  Deprecation: {
    description:
      'Since when something of the query is deprecated (RFC 9745): ' +
      'seconds since 1970 after an `@`. The catalogue says what.',
    schema: { ...text, pattern: '^@-?[0-9]+$' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When it stops being served (RFC 8594).',
    schema: text,
    example: 'Thu, 31 Dec 2026 00:00:00 GMT',
  },
  RateLimit: {
    description:
      'What remains of each limit of the token, `r`, ' +
      'and in how many seconds more of it remains, `t`. Absent where there is none.',
    schema: text,
    example: '"requests-per-minute";r=99;t=60',
  },
  'RateLimit-Policy': {
    description:
      'The limits of the token: how many, `q`, in how many seconds, `w`, of which unit, `qu`.',
    schema: text,
    example: '"requests-per-minute";q=100;w=60',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750 §3).',
    schema: text,
    example: 'Bearer realm="dynamic-query", error="invalid_token"',
  },
  Vary: {
    description: 'Which headers of a request its reply depends on.',
    schema: text,
    example: 'Accept, Accept-Encoding, Authorization, Origin',
  },
  Allow: { description: 'The methods that the path takes.', schema: text, example: 'POST, QUERY' },
  'Accept-Post': { description: 'What the path reads.', schema: text, example: 'application/json' },
  'Accept-Query': {
    description: 'What the path reads by the method QUERY (RFC 10008).',
    schema: text,
    example: 'application/json',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

export function headerRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
