import * as z from 'zod';

export const positive = z.int().min(1);

/** As long as a timer of Node can wait. */
export const milliseconds = positive.max(2 ** 31 - 1);

/** Limits of every host. */
export const limitSettings = z.strictObject({
  max_page_size: positive.default(1000),
  query_timeout_ms: milliseconds.default(10_000),
});
