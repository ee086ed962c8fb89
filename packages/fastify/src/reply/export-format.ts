import type { RecordLines } from '@proj/engine';

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
