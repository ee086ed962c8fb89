import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { errorsOf } from './request-errors.ts';

/** A read request, or its errors with the well-formed members. */
export type RequestReading<Request> =
  | { readonly ok: true; readonly request: Request }
  | {
      readonly ok: false;
      readonly errors: RequestError[];
      readonly wellFormed: Partial<Request>;
    };

/** Returns well-formed members with the errors, so that the planner can check these too. */
export function readRequest<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  body: unknown,
): RequestReading<z.output<z.ZodMiniObject<Shape, z.core.$strict>>> {
  // JSON has no `undefined`, by which the schema recognizes that a member is missing.
  const reading = schema.safeParse(body ?? null, { reportInput: true });
  if (reading.success) return { ok: true, request: reading.data };
  return {
    ok: false,
    errors: errorsOf(reading.error),
    wellFormed: wellFormedMembers(schema, body, reading.error),
  };
}

function wellFormedMembers<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  body: unknown,
  error: z.core.$ZodError,
): Partial<z.output<typeof schema>> {
  if (typeof body !== 'object' || body === null) return {};
  const invalid = new Set(error.issues.map((issue) => issue.path[0]));
  const names = Object.keys(schema.shape).filter(
    (name) => Object.hasOwn(body, name) && !invalid.has(name),
  );
  const members = Object.fromEntries(
    names.map((name) => [name, (body as Record<string, unknown>)[name]]),
  );
  return z.partial(schema).parse(members) as Partial<z.output<typeof schema>>;
}
