import type { RecordLines } from '@proj/engine';

import { HttpProblem } from '../endpoint/problems.ts';

/** May be empty. */
type Part = Uint8Array | Promise<Uint8Array>;

/** Encodes an export. All parts, one after the other, are the file. */
export interface ExportFormat {
  readonly contentType: string;
  begin(): Part;
  /** One call at a time. @throws {HttpProblem} when the format cannot hold a record */
  add(lines: RecordLines): Part;
  end(): Part;
  /** Releases resources, also in the middle of a part, which then rejects. */
  close?(): Promise<void>;
}

/** Values do not belong in logs. */
export function misfit(attribute: string): HttpProblem {
  return new HttpProblem(
    'data_error',
    `The attribute ${JSON.stringify(attribute)} has a value that its column of a Parquet file ` +
      'cannot hold. Export it as CSV or JSON lines, or leave such values out by a filter.',
  );
}
