import type { Section } from './sections.ts';
import type { Subject } from './subject/subject.ts';

/** One rule of the contract, and how a server is held against it. */
export interface Rule {
  /** Stays the same for ever, so that results can be compared. */
  readonly id: string;
  /** What holds, in one sentence. */
  readonly sentence: string;
  readonly section: Section;
  /**
   * Returns when the rule holds.
   *
   * @throws {Violation} when it does not.
   * @throws {NotTried} when this server or its data do not let it be tried.
   */
  readonly check: (subject: Subject) => Promise<void>;
}
