import * as z from 'zod/mini';

import { errorIssue, withCode } from './request-errors.ts';
import type { Filter } from '../filter.ts';
import type { RequestError } from '../problems.ts';
import { readFilter } from '../read-filter.ts';
import { aggregatesSchema, groupErrors, groupsSchema } from './groups.ts';
import { pageSchema } from './page.ts';
import { uncountedRecord, type QueryTotal, readQueryTotal } from './query-total.ts';
import { relatedErrors, relatedSchema } from './related.ts';
import { readRequest, type RequestReading } from './read-request.ts';

/** Of one request. */
export const MAX_ATTRIBUTES = 200;

/** Of one request. */
export const MAX_SORT_TERMS = 5;

/** A database would replace lone surrogates by U+FFFD or refuse NUL, and match other names. */
const nameSchema = z.string().check(
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), {
    params: { code: 'invalid_text' },
  }),
);

const attributesSchema = z.array(nameSchema).check(
  withCode(z.minLength(1), 'no_attributes'),
  withCode(z.maxLength(MAX_ATTRIBUTES), 'too_many_attributes'),
  // Runs beside errors of names, so that a caller learns of all at once.
  z.check<string[]>(
    ({ value, issues }) => {
      for (const index of repeatedTexts(value))
        issues.push(errorIssue('duplicate_attribute', [index]));
    },
    { when: ({ value }) => Array.isArray(value) },
  ),
);

function filterSchema(member: string) {
  return z.pipe(
    z.unknown(),
    z.transform((value, { issues }): Filter => {
      const { filter, errors } = readFilter(value, [member]);
      for (const error of errors) issues.push({ code: 'custom', input: value, params: { error } });
      return filter ?? { and: [] };
    }),
  );
}

const totalSchema = z.pipe(
  z.unknown(),
  z.transform((value, { issues }): QueryTotal => {
    const { total, errors } = readQueryTotal(value);
    for (const error of errors) issues.push({ code: 'custom', input: value, params: { error } });
    return total ?? 'exact';
  }),
);

const sortTermSchema = z.strictObject({
  attribute: nameSchema,
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  nulls: z.optional(z.enum(['first', 'last'])),
});

const sortSchema = z.array(sortTermSchema).check(
  withCode(z.maxLength(MAX_SORT_TERMS), 'too_many_sort_terms'),
  // Sorting by an attribute twice is a mistake, not a refinement.
  z.check<{ attribute: string }[]>(({ value, issues }) => {
    for (const index of repeatedTexts(value.map(({ attribute }) => attribute)))
      issues.push(errorIssue('duplicate_attribute', [index, 'attribute']));
  }),
);

/** See docs/reference/contract.md#the-query. Unknown members are errors. */
export const queryRequestSchema = z.strictObject({
  query_model: nameSchema,
  query_attributes: attributesSchema,
  /** By number, or by a record on the page. */
  page: pageSchema,
  /** Which records to keep. Default: all. */
  query_filter: z.optional(filterSchema('query_filter')),
  /** Default: the model's order. NULL is the largest value unless `nulls` says otherwise. */
  query_sort: z.optional(sortSchema),
  /** Counts and aggregates of related records, each an attribute of the request. */
  query_related: z.optional(relatedSchema),
  /** Makes a list of groups; attributes and sorts then name group attributes and aggregates. */
  query_groups: z.optional(groupsSchema),
  /** Computed for each group. */
  query_aggregates: z.optional(aggregatesSchema),
  /** Which groups to keep. Default: all. */
  query_group_filter: z.optional(filterSchema('query_group_filter')),
  /** How much of the total to count. Default: all of it. */
  query_total: z.optional(totalSchema),
});

export type QueryRequest = z.infer<typeof queryRequestSchema>;

/** A read request, or its errors with the well-formed members. */
export type QueryRequestReading = RequestReading<QueryRequest>;

/** Reads the body of a request for a page. */
export function readQueryRequest(body: unknown): QueryRequestReading {
  const reading = readListRequest(queryRequestSchema, body);
  const errors = uncountedRecord(reading.ok ? reading.request : reading.wellFormed);
  return withErrors(reading, errors);
}

/** For a list, or for a part of one. */
export function readListRequest<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  body: unknown,
): ReturnType<typeof readRequest<Shape>> {
  const reading = readRequest(schema, body);
  const isGrouped = typeof body === 'object' && body !== null && 'query_groups' in body;
  const members = reading.ok ? reading.request : reading.wellFormed;
  return withErrors(reading, [...groupErrors(members, isGrouped), ...relatedErrors(members)]);
}

function withErrors<Request>(
  reading: RequestReading<Request>,
  errors: readonly RequestError[],
): RequestReading<Request> {
  if (errors.length === 0) return reading;
  const [found, wellFormed] = reading.ok
    ? [[], reading.request]
    : [reading.errors, reading.wellFormed];
  return { ok: false, errors: [...found, ...errors], wellFormed };
}

function repeatedTexts(items: readonly unknown[]): number[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, index) => {
    const isRepeated = typeof item === 'string' && seen.has(item);
    seen.add(item);
    return isRepeated ? [index] : [];
  });
}
