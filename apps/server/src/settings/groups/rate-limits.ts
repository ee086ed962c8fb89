import * as z from 'zod';

/** Below 2^40, which every store counts exactly. */
const limit = z.union(
  [z.int().min(1).max(1e12), z.literal('unlimited')],
  'expected a whole number from 1 to 1000000000000, or `unlimited`',
);

export const rateLimitSettings = z.strictObject({
  requests_per_minute: limit.default('unlimited'),
  concurrent_queries: limit.default(256),
  concurrent_watches: limit.default(256),
  rows_per_day: limit.default('unlimited'),
  failures_per_minute: limit.default(600),
  redis: z
    .url({ protocol: /^rediss?$/, error: 'expected a URL such as redis://:password@host:6379/0' })
    .optional(),
});

export type RateLimitSettings = z.output<typeof rateLimitSettings>;

export type TokenLimits = Pick<
  RateLimitSettings,
  'requests_per_minute' | 'concurrent_queries' | 'rows_per_day'
>;
