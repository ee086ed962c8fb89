import * as z from 'zod/mini';

/**
 * The minimum comes first and ends the checks: a number that is also below −(2^53 − 1) has one
 * error, not two.
 */
const fromOne = z.number().check(z.minimum(1, { abort: true }), z.int());

/**
 * The `page` member of a request: JSON integers from 1 to 2^53 − 1. Strings, fractions, 0 and
 * negatives are errors; so are members that it does not name.
 */
export const pageRequestSchema = z.strictObject({
  page: fromOne,
  size: fromOne,
});

const digits = z.string().check(z.regex(/^(0|[1-9][0-9]*)$/));

/** The `page` member of a reply: canonical decimal strings and `has_next`. */
export const pageMetadataSchema = z.object({
  page: digits,
  size: digits,
  total: digits,
  has_next: z.boolean(),
});
