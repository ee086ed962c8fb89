import { pageMetadataSchema, pageRequestSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

import { faultsOf } from './faults.ts';
import type { Fault } from './problems.ts';

/** How many attributes one request may name. */
export const MAX_ATTRIBUTES = 200;

/** The database would replace a lone surrogate by U+FFFD or refuse a NUL, and so match another name. */
const nameSchema = z
  .string()
  .check(z.refine((text) => text.isWellFormed() && !text.includes('\0'), { params: { fault: 'invalid_text' } }));

/** The body of `POST /api/v1/dynamic/query` (seed §2). Members that it does not name are faults. */
export const queryRequestSchema = z.strictObject({
  query_model: nameSchema,
  query_attributes: z.array(nameSchema).check(z.minLength(1), z.maxLength(MAX_ATTRIBUTES), z.check(noDuplicates)),
  page: pageRequestSchema,
});

/** One element of `result`: the requested attributes in the order of the request. */
export type Element = Record<string, unknown>;

const element = z.custom<Element>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

/** The reply of the query endpoint (seed §2). */
export const queryReplySchema = z.object({ result: z.array(element), page: pageMetadataSchema });

export type QueryRequest = z.infer<typeof queryRequestSchema>;
export type QueryReply = z.infer<typeof queryReplySchema>;

/** A request that was read, or its faults with those members that are well-formed by themselves. */
export type QueryRequestReading =
  | { readonly ok: true; readonly request: QueryRequest }
  | { readonly ok: false; readonly faults: Fault[]; readonly wellFormed: Partial<QueryRequest> };

/** Reads a request body. Of a faulty one the well-formed members stay readable, so that a planner can list its faults too. */
export function readQueryRequest(body: unknown): QueryRequestReading {
  const reading = queryRequestSchema.safeParse(body, { reportInput: true });
  if (reading.success) return { ok: true, request: reading.data };
  return { ok: false, faults: faultsOf(reading.error), wellFormed: wellFormedMembers(body, reading.error) };
}

function wellFormedMembers(body: unknown, error: z.core.$ZodError): Partial<QueryRequest> {
  if (typeof body !== 'object' || body === null) return {};
  const faulty = new Set(error.issues.map((issue) => issue.path[0]));
  const names = Object.keys(queryRequestSchema.shape).filter((name) => !faulty.has(name));
  return Object.fromEntries(names.map((name) => [name, (body as Record<string, unknown>)[name]]));
}

function noDuplicates(names: z.core.ParsePayload<string[]>): void {
  const seen = new Set<string>();
  for (const [index, attribute] of names.value.entries()) {
    if (seen.has(attribute)) {
      names.issues.push({ code: 'custom', input: attribute, path: [index], params: { fault: 'duplicate_attribute' } });
    }
    seen.add(attribute);
  }
}
