import type { DatabaseName } from '../databases/fault-database.ts';
import type { Stage } from './stage.ts';

/** One fault, and what the whole service has to do in it. */
export interface FaultRow {
  /** Unique, and chosen by `-t`. */
  readonly name: string;
  readonly fault: string;
  /** What is seen from outside, in the words of the result. */
  readonly expected: string;
  /** Where the fault can happen. All databases by default. */
  readonly databases?: readonly DatabaseName[];
  /**
   * Makes the fault happen and looks at the service.
   *
   * @throws {Error} when something else than the expected is seen.
   */
  readonly run: (stage: Stage) => Promise<void>;
}
