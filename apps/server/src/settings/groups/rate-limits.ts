import * as z from 'zod';

/** Below 2^40, which every store counts exactly. */
const limit = z.union(
  [z.int().min(1).max(1e12), z.literal('unlimited')],
  'expected a whole number from 1 to 1000000000000, or `unlimited`',
);

export const rateLimitSettings = z.strictObject({
  requests_per_minute: limit
    .default('unlimited')
    .describe('How many requests one token may send in any 60 seconds.'),
  concurrent_queries: limit
    .default(256)
    .describe(
      'How many queries of one token may run at once, in all workers of a service. ' +
        'A query runs until its reply is sent.',
    ),
  concurrent_watches: limit
    .default(256)
    .describe(
      'How many lists one token may watch at once, in all workers of a service. Each takes a ' +
        'connection.',
    ),
  rows_per_day: limit
    .default('unlimited')
    .describe(
      'How many records one token may read in any 24 hours. ' +
        'The query that passes the limit is still answered; those that run beside it count as ' +
        'what they may return, in each worker for itself.',
    ),
  failures_per_minute: limit
    .default(600)
    .describe(
      'How many invalid tokens one address may send in any 60 seconds before its requests ' +
        'are refused. IPv6 addresses count by their /64.',
    ),
  redis: z
    .url({ protocol: /^rediss?$/, error: 'expected a URL such as redis://:password@host:6379/0' })
    .optional()
    .describe(
      'URL of a Redis in which several processes count together; ' +
        'without it, and while it does not answer, each counts for itself. With `replicas` ' +
        'they also note there what each token was shown. ' +
        'Keep its password in the environment.',
    ),
});

export type RateLimitSettings = z.output<typeof rateLimitSettings>;

export type TokenLimits = Pick<
  RateLimitSettings,
  'requests_per_minute' | 'concurrent_queries' | 'rows_per_day'
>;
