/** A session of callers for which something is kept that callers of others must not see. */
export interface KeptFor {
  /** The role of the database. */
  readonly role: string;
  /** The same for equal values of its settings, and for no others. */
  readonly values: string;
}

/** Counts the things that are kept for each session. */
export class KeptSessions {
  readonly #counts = new Map<string, Map<string, number>>();

  add({ role, values }: KeptFor): void {
    const counts = this.#counts.get(role) ?? new Map<string, number>();
    this.#counts.set(role, counts);
    counts.set(values, (counts.get(values) ?? 0) + 1);
  }

  remove({ role, values }: KeptFor): void {
    const counts = this.#counts.get(role);
    const left = (counts?.get(values) ?? 0) - 1;
    if (left > 0) counts?.set(values, left);
    else counts?.delete(values);
  }

  /** For how many different values of the settings of a role something is kept at the moment. */
  valuesOf(role: string): number {
    return this.#counts.get(role)?.size ?? 0;
  }
}
