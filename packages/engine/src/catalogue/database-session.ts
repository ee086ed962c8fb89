/** Who asks, as the database knows it: all reads of a caller run as this role. */
export interface DatabaseSession {
  readonly role: string;
  /**
   * The settings that the database has while it reads, by name. Those that another role of the
   * service has are there too, with an empty text, so that nothing of another caller remains.
   */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Functions whose results depend on these settings and on what they read of tables alone, as the
   * operator says of them.
   */
  readonly trusts: readonly string[];
}

/** What all sessions of one role have in common: the settings go by their names. */
export interface SessionRole {
  readonly role: string;
  readonly settings: readonly string[];
  readonly trusts: readonly string[];
}

/** What a session is, as JSON has it: the same for equal sessions, and for no others. */
export function sessionShape({ role, settings, trusts }: DatabaseSession): unknown {
  const names = Object.keys(settings).toSorted();
  return [role, names.map((name) => [name, settings[name]]), trusts.toSorted()];
}
