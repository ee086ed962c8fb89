import type { RecordLines } from '@proj/engine';

/** How the records of an export become bytes. All parts, one after the other, are the file. */
export interface ExportFormat {
  readonly contentType: string;
  /** What comes before the records. */
  begin(): Uint8Array;
  /**
   * What comes with some more records; it may be nothing yet.
   *
   * @throws {QueryFailedError} when the form cannot hold one of them
   */
  add(lines: RecordLines): Uint8Array;
  /** What comes after the last of them. */
  end(): Uint8Array;
}
