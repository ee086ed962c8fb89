import { pageRequestSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { errorsOf } from './request-errors.ts';

/** A value in wire form for each `key` attribute. Checked where the model is known. */
export type RecordKey = Readonly<Record<string, unknown>>;

const recordKeySchema = z.pipe(
  z.unknown(),
  z.transform((value, { issues }): RecordKey => {
    if (isObject(value)) return value;
    issues.push({ code: 'invalid_type', expected: 'object', input: value });
    return {};
  }),
);

/** The page that holds a record, whatever its number. */
export const containingPageSchema = z.strictObject({
  containing: recordKeySchema,
  size: pageRequestSchema.shape.size,
});

export type NumberedPage = z.infer<typeof pageRequestSchema>;
export type ContainingPage = z.infer<typeof containingPageSchema>;

/** A page by number, or by a record on it. */
export const pageSchema = z.pipe(
  z.unknown(),
  z.transform((value, { issues }): NumberedPage | ContainingPage => {
    const { schema, members, error } = formOf(value);
    const reading = schema.safeParse(members, { reportInput: true });
    if (reading.success && error === undefined) return reading.data;
    const errors = [
      ...(error === undefined ? [] : [error]),
      ...(reading.success ? [] : errorsOf(reading.error, ['page'])),
    ];
    for (const found of errors)
      issues.push({ code: 'custom', input: value, params: { error: found } });
    return { page: 1, size: 1 };
  }),
);

interface PageForm {
  readonly schema: typeof pageRequestSchema | typeof containingPageSchema;
  readonly members: unknown;
  readonly error?: RequestError;
}

function formOf(value: unknown): PageForm {
  if (!isObject(value) || !Object.hasOwn(value, 'containing'))
    return { schema: pageRequestSchema, members: value };
  if (!Object.hasOwn(value, 'page')) return { schema: containingPageSchema, members: value };
  const { page: _number, ...members } = value;
  return { schema: containingPageSchema, members, error: TWO_PAGES };
}

const TWO_PAGES: RequestError = {
  pointer: '/page/page',
  code: 'unknown_member',
  detail: '/page/page: a page is named by its number or by a record that it holds, not by both.',
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
