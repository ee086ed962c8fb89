import type { Schema } from './schema.ts';

/** Besides those of every HTTP reply. */
export const HEADERS = {
  'X-Request-Id': header(
    "Names the request in the log: the caller's own, or a new one.",
    'import-17',
  ),
  'Cache-Control': header('Whether a cache may keep the reply.', 'private, no-cache'),
  'Server-Timing': header(
    'Milliseconds of each step.',
    'auth;dur=0.042, plan;dur=0.081, rows;dur=0.7',
  ),
  'Data-Version': header('Equal only if the data was; absent where nobody knows.', 'g7Qx2mW0'),
  'Export-Total': header(
    'How many records the list has, and how many follow: a reply with fewer was cut short.',
    '135233',
    { pattern: '^(0|[1-9][0-9]*)$' },
  ),
  'Data-Age': header(
    'How many seconds the reply may lag behind the primary. Only where replicas may answer.',
    0.184,
    { type: 'number', minimum: 0 },
  ),
  'Data-Position': header(
    'The state that the reply shows, for `Data-At-Least`. Only where replicas may answer.',
    '0/16B3748@1.mK3xQ0bT',
  ),
  'Data-State': header(
    '`approximate` where records and total may be of different states: the model is `distributed`.',
    'approximate',
    { enum: ['approximate'] },
  ),
  'Catalogue-Tag': header(
    'Equal on two replies only if the catalogue is, as the token sees it.',
    'Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE',
    { pattern: '^[A-Za-z0-9_-]+$' },
  ),
  ETag: header(
    'Names what the reply holds, for `If-None-Match`.',
    '"Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE="',
  ),
  Deprecation: header(
    'Since when something of the query is deprecated (RFC 9745). The catalogue says what.',
    '@1767225600',
    { pattern: '^@-?[0-9]+$' },
  ),
  Sunset: header('When it stops being served (RFC 8594).', 'Thu, 31 Dec 2026 00:00:00 GMT'),
  RateLimit: header(
    'What remains of each limit of the token, `r`, and after how many seconds more does, `t`.',
    '"requests-per-minute";r=99;t=60',
  ),
  'RateLimit-Policy': header(
    'The limits of the token: how many, `q`, in how many seconds, `w`, of which unit, `qu`.',
    '"requests-per-minute";q=100;w=60',
  ),
  'Retry-After': header('After how many seconds to try again.', 1, { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header(
    'How to authenticate (RFC 6750 §3).',
    'Bearer realm="dynamic-query", error="invalid_token"',
  ),
  Vary: header(
    'Which headers the reply depends on.',
    'Accept, Accept-Encoding, Authorization, Origin',
  ),
  Allow: header('The methods that the path takes.', 'POST, QUERY'),
  'Accept-Post': header('What the path reads.', 'application/json'),
  'Accept-Query': header('What it reads by the method QUERY (RFC 10008).', 'application/json'),
};

export type HeaderName = keyof typeof HEADERS;

function header(description: string, example: string | number, schema: Schema = {}): Schema {
  return { description, schema: { type: 'string', ...schema }, example };
}
