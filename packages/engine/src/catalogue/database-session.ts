/** The role that all reads of a caller run as. */
export interface DatabaseSession {
  readonly role: string;
  /** Also holds other roles' settings, empty, so that nothing of another caller remains. */
  readonly settings: Readonly<Record<string, string>>;
  /** Functions that by the operator's word depend only on these settings and on tables. */
  readonly trusts: readonly string[];
}

/** What sessions of a role share: the settings' names. */
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
