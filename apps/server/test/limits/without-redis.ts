import { hasRedis } from '@proj/test-servers';

/**
 * Whether tests with Redis are to be skipped, which is said aloud. Where CI runs there must be one.
 */
export const withoutRedis = !hasRedis() && !process.env['CI'];

if (withoutRedis)
  console.warn(
    'SKIPPED: tests with Redis, as there is no redis-server. On Debian: apt-get install redis-server',
  );
