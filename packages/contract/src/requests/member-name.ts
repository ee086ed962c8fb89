import * as z from 'zod/mini';

/** A computed member of records: letters, digits and underscores. */
export function memberNameSchema(code: 'invalid_groups' | 'invalid_related') {
  return z
    .string()
    .check(z.refine((name) => /^[\p{L}_][\p{L}\p{N}_]{0,62}$/u.test(name), { params: { code } }));
}
