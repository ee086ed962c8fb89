import type { Section } from './sections.ts';
import type { Subject } from './subject/subject.ts';

/** How a server is held against one rule of the contract. */
interface Check {
  /** What holds, in one sentence. */
  readonly sentence: string;
  /**
   * Returns when the rule holds.
   *
   * @throws {Violation} when it does not.
   * @throws {NotTried} when this server or its data do not let it be tried.
   */
  readonly check: (subject: Subject) => Promise<void>;
}

/** One rule of the contract. */
export interface Rule extends Check {
  /** Stays the same for ever, so that results can be compared. */
  readonly id: string;
  readonly section: Section;
}

/** The rules of a section, by their ids. */
export function rulesOf(
  section: Section,
  checks: Readonly<Record<string, Check>>,
): readonly Rule[] {
  return Object.entries(checks).map(([id, check]) => ({ id, section, ...check }));
}
