import type { RelationPath } from './relation.ts';

/** The role that all reads of a caller run as. */
export interface DatabaseSession {
  readonly role: string;
  /** Also holds other roles' settings, empty, so that nothing of another caller remains. */
  readonly settings: Readonly<Record<string, string>>;
  /** Functions that by the operator's word depend only on these settings and on tables. */
  readonly trusts: readonly string[];
}

export interface SessionRole {
  readonly role: string;
  readonly settings: readonly string[];
  readonly trusts: readonly string[];
}

/** JSON that is equal only for equal sessions. */
export function sessionShape({ role, settings, trusts }: DatabaseSession): unknown {
  const names = Object.keys(settings).toSorted();
  return [role, names.map((name) => [name, settings[name]]), trusts.toSorted()];
}

export interface AskedSession extends SessionRole {
  readonly relations: readonly RelationPath[];
  readonly needsAll: boolean;
}

/** With a refusal policies would not hold, or reads fail; with a warning both work. */
export interface SessionProblem {
  readonly setting?: string;
  readonly problem: string;
  readonly remedy: string;
  readonly kind: 'refusal' | 'warning' | 'hint';
}
