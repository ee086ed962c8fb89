import type { SessionRole } from '../catalogue/database-session.ts';
import type { RelationPath } from '../catalogue/relation.ts';

/** A role that callers are to read as, and what. */
export interface AskedSession extends SessionRole {
  readonly relations: readonly RelationPath[];
  /** Whether the role must reach all relations. */
  readonly needsAll: boolean;
}

/** With a refusal policies would not hold, or reads fail; with a warning both work. */
export interface SessionProblem {
  /** Undefined where it is about the role. */
  readonly setting?: string;
  readonly problem: string;
  readonly remedy: string;
  readonly kind: 'refusal' | 'warning' | 'hint';
}
