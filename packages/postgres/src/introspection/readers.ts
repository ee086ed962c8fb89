import { textLiteral } from '../values/text-literal.ts';

/** The roles that tables are read as: that of the service, and those of callers. */
export class Readers {
  readonly #roles: readonly string[];

  /** @param roles those of callers */
  constructor(roles: readonly string[]) {
    this.#roles = roles;
  }

  /**
   * Whether what holds for a role holds for any of them, as SQL.
   *
   * @param condition SQL of what holds for the role that functions such as `has_table_privilege`
   *   take first; they mean the service where they take none
   */
  some(condition: (role: string) => string): string {
    if (this.#roles.length === 0) return condition('');
    return `(select bool_or(${condition('reader.oid, ')}) from ${this.#readers})`;
  }

  /**
   * Whether what holds for a role holds for all of which something else holds.
   *
   * @param condition as in {@link some}
   */
  every(condition: (role: string) => string, of: (role: string) => string): string {
    if (this.#roles.length === 0) return condition('');
    const [ofAll, ofThose] = [condition('reader.oid, '), of('reader.oid, ')];
    return `(select bool_and(${ofAll}) filter (where ${ofThose}) from ${this.#readers})`;
  }

  get #readers(): string {
    const names = ['current_user', ...this.#roles.map((role) => textLiteral(role))];
    return `(select oid from pg_roles where rolname in (${names.join(', ')})) as reader`;
  }
}

/** The service alone. */
export const SERVICE = new Readers([]);
