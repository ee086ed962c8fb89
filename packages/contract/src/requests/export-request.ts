import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { queryRequestSchema, readListRequest } from './query.ts';
import type { RequestReading } from './read-request.ts';
import { isCsvNull } from '../text/csv.ts';

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
 * (docs/reference/contract.md#exports): that of a
 * query without `page` and `query_total`. Members that it does not name are errors.
 */
export const exportRequestSchema = z.extend(
  z.omit(queryRequestSchema, { page: true, query_total: true }),
  {
    /** How CSV writes NULL and formulas; an error where no CSV is asked for. */
    export_csv: z.optional(csvSchema),
  },
);

export type ExportRequest = z.infer<typeof exportRequestSchema>;

const NOT_EXPORTED: Readonly<Record<string, string>> = {
  '/page': '/page: an export has no pages; leave out page.',
  '/query_total': '/query_total: an export always counts its records; leave out query_total.',
};

/** Reads the body of a request for a whole list. */
export function readExportRequest(body: unknown): RequestReading<ExportRequest> {
  const reading = readListRequest(exportRequestSchema, body);
  return reading.ok ? reading : { ...reading, errors: reading.errors.map(explained) };
}

/** The error of a member that belongs to a query says why an export does not take it. */
function explained(error: RequestError): RequestError {
  const detail = error.code === 'unknown_member' ? NOT_EXPORTED[error.pointer] : undefined;
  return detail === undefined ? error : { ...error, detail };
}
