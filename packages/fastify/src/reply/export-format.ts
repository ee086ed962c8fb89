import type { RecordLines } from '@proj/engine';

/** A part of the file; it may be nothing yet. */
type Part = Uint8Array | Promise<Uint8Array>;

/** How the records of an export become bytes. All parts, one after the other, are the file. */
export interface ExportFormat {
  readonly contentType: string;
  /** What comes before the records. */
  begin(): Part;
  /**
   * What comes with some more records. The next ones are added when it is there.
   *
   * @throws {HttpProblem} when the form cannot hold one of them
   */
  add(lines: RecordLines): Part;
  /** What comes after the last of them. */
  end(): Part;
  /** Releases what it holds, also in the middle of a part, which then rejects. */
  close?(): Promise<void>;
}
