import type { ExportState } from './export-state.ts';

/** Where an export goes. */
export interface Target {
  /** How far an earlier run has come; the beginning for a new export. */
  readonly state: ExportState;
  /** Adds a text, or bytes, to what is there. */
  append(part: string | Uint8Array): Promise<void>;
  /** Notes that all that was appended so far belongs to whole pages. */
  note(progress: Pick<ExportState, 'records' | 'position' | 'start'>): Promise<void>;
  /** Makes what is there the finished export. */
  finish(): Promise<void>;
  /**
   * Gives up for now.
   *
   * @returns what a later run can continue, for a message; empty where nothing is.
   */
  keep(): Promise<string>;
}
