import type { SessionRole } from '../catalogue/database-session.ts';
import type { RelationPath } from '../catalogue/relation.ts';

/** A role of the database that callers are to read as, and what they are to read. */
export interface AskedSession extends SessionRole {
  readonly relations: readonly RelationPath[];
  /** Whether the role has to reach all of the relations, and not only some. */
  readonly needsAll: boolean;
}

/**
 * What is wrong with callers that read as a role of the database. A refusal keeps policies from
 * holding for them, or them from reading at all; with a warning they hold all the same, and a hint
 * says what would be faster.
 */
export interface SessionProblem {
  /** The setting that it is about; undefined where it is about the role. */
  readonly setting?: string;
  readonly problem: string;
  readonly remedy: string;
  readonly kind: 'refusal' | 'warning' | 'hint';
}
