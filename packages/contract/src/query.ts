import { pageRequestSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

import { faultsOf } from './faults.ts';
import { readFilter, type Filter } from './filter.ts';
import type { Fault } from './problems.ts';

/** How many attributes one request may name. */
export const MAX_ATTRIBUTES = 200;

/** By how many attributes one request may sort. */
export const MAX_SORT_TERMS = 5;

/**
 * The database would replace a lone surrogate by U+FFFD or refuse a NUL, and so match another name.
 */
const nameSchema = z.string().check(
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), {
    params: { fault: 'invalid_text' },
  }),
);

/** Runs beside faults of single names too, since a caller learns of every fault at once. */
const noDuplicates = z.check<string[]>(({ value, issues }) => reportRepeats(value, issues, []), {
  when: ({ value }) => Array.isArray(value),
});

const filterSchema = z.pipe(
  z.unknown(),
  z.transform((value, { issues }): Filter => {
    const { filter, faults } = readFilter(value, ['query_filter']);
    for (const reported of faults)
      issues.push({ code: 'custom', input: value, params: { reported } });
    return filter ?? { and: [] };
  }),
);

const sortTermSchema = z.strictObject({
  attribute: nameSchema,
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  nulls: z.optional(z.enum(['first', 'last'])),
});

/** Sorting by an attribute twice is a mistake, not a refinement. */
const noRepeatedTerms = z.check<{ attribute: string }[]>(({ value, issues }) => {
  const names = value.map((term) => term.attribute);
  reportRepeats(names, issues, ['attribute']);
});

/**
 * The body of `POST /api/v1/dynamic/query`
 * (https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#the-query). Members
 * that it does not name are faults.
 */
export const queryRequestSchema = z.strictObject({
  query_model: nameSchema,
  query_attributes: z
    .array(nameSchema)
    .check(z.minLength(1), z.maxLength(MAX_ATTRIBUTES), noDuplicates),
  page: pageRequestSchema,
  /** Which elements to keep; all where absent. */
  query_filter: z.optional(filterSchema),
  /**
   * The order; the model's own where absent. NULL counts as the largest value unless `nulls` says
   * otherwise.
   */
  query_sort: z.optional(
    z.array(sortTermSchema).check(z.maxLength(MAX_SORT_TERMS), noRepeatedTerms),
  ),
});

export type QueryRequest = z.infer<typeof queryRequestSchema>;

const membersSchema = z.partial(queryRequestSchema);

/** A request that was read, or its faults with those members that are well-formed by themselves. */
export type QueryRequestReading =
  | { readonly ok: true; readonly request: QueryRequest }
  | {
      readonly ok: false;
      readonly faults: Fault[];
      readonly wellFormed: z.infer<typeof membersSchema>;
    };

/**
 * Reads a request body. Of a faulty one the well-formed members stay readable, so that a planner
 * can list its faults too.
 */
export function readQueryRequest(body: unknown): QueryRequestReading {
  const reading = queryRequestSchema.safeParse(body, { reportInput: true });
  if (reading.success) return { ok: true, request: reading.data };
  return {
    ok: false,
    faults: faultsOf(reading.error),
    wellFormed: wellFormedMembers(body, reading.error),
  };
}

function wellFormedMembers(body: unknown, error: z.core.$ZodError): z.infer<typeof membersSchema> {
  if (typeof body !== 'object' || body === null) return {};
  const faulty = new Set(error.issues.map((issue) => issue.path[0]));
  const names = Object.keys(queryRequestSchema.shape).filter(
    (name) => Object.hasOwn(body, name) && !faulty.has(name),
  );
  const members = Object.fromEntries(
    names.map((name) => [name, (body as Record<string, unknown>)[name]]),
  );
  return membersSchema.parse(members);
}

function reportRepeats(
  names: readonly unknown[],
  issues: z.core.ParsePayload['issues'],
  member: PropertyKey[],
): void {
  const seen = new Set<unknown>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name) && typeof name === 'string') {
      issues.push({
        code: 'custom',
        input: name,
        path: [index, ...member],
        params: { fault: 'duplicate_attribute' },
      });
    }
    seen.add(name);
  }
}
