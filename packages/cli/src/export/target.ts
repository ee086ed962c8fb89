import type { ExportState } from './export-state.ts';

export interface Target {
  /** Where an earlier run stopped; the beginning for a new export. */
  readonly state: ExportState;
  append(part: string | Uint8Array): Promise<void>;
  /** Marks all that was appended so far as whole pages. */
  note(progress: Pick<ExportState, 'records' | 'position' | 'start'>): Promise<void>;
  finish(): Promise<void>;
  /** @returns what a later run can continue, for a message; empty where nothing is. */
  keep(): Promise<string>;
}
