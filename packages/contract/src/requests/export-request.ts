import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { queryRequestSchema, readListRequest } from './query.ts';
import type { RequestReading } from './read-request.ts';
import { isCsvNull } from '../text/csv.ts';

const csvSchema = z.strictObject({
  /** NULL, unquoted. Default: the empty text. */
  null: z.optional(
    z.string().check(z.refine(isCsvNull, { params: { code: 'invalid_export_csv' } })),
  ),
  /** Puts an apostrophe before texts that a spreadsheet would run. Default: false. */
  guard_formulas: z.optional(z.boolean()),
});

/** A query's body without `page` and `query_total` (docs/reference/contract.md#exports). */
export const exportRequestSchema = z.extend(
  z.omit(queryRequestSchema, { page: true, query_total: true }),
  {
    /** Only for CSV, otherwise an error. */
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

function explained(error: RequestError): RequestError {
  const detail = error.code === 'unknown_member' ? NOT_EXPORTED[error.pointer] : undefined;
  return detail === undefined ? error : { ...error, detail };
}
