import * as z from 'zod/mini';

import { queryRequestSchema } from './query.ts';
import { readRequest, type RequestReading } from './read-request.ts';
import { isCsvNull } from './text/csv.ts';

const csvSchema = z.strictObject({
  /** What stands for NULL, without quotes; the empty text where absent. */
  null: z.optional(
    z.string().check(z.refine(isCsvNull, { params: { code: 'invalid_export_csv' } })),
  ),
  /** Whether texts that a spreadsheet would run get an apostrophe; false where absent. */
  guard_formulas: z.optional(z.boolean()),
});

/**
 * The body of `POST /api/v1/dynamic/export`
 * (https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#exports): that of a
 * query without `page` and `query_total`. Members that it does not name are errors.
 */
export const exportRequestSchema = z.extend(
  z.omit(queryRequestSchema, { page: true, query_total: true }),
  {
    /** How CSV treats what it has no form for; an error where no CSV is asked for. */
    export_csv: z.optional(csvSchema),
  },
);

export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** Reads the body of a request for a whole list. */
export function readExportRequest(body: unknown): RequestReading<ExportRequest> {
  return readRequest(exportRequestSchema, body);
}
