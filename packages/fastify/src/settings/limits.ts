import * as z from 'zod';

/** Limits of every host. */
export const limitSettings = z.strictObject({
  max_page_size: z
    .int()
    .min(1)
    .default(1000)
    .describe('The largest page size, where a model does not set its own.'),
  query_timeout_ms: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(10_000)
    .describe('How long one query may run, in milliseconds, before it is stopped in the database.'),
});
