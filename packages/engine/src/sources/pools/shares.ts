import type { ActiveCallers } from './active-callers.ts';

/**
 * How connections are shared: a caller alone may hold all of them, and at most half of them while
 * others use them too.
 */
export class Shares<Connection> {
  readonly #half: number;
  readonly #holders = new Map<Connection, string>();
  readonly #held = new Map<string, number>();
  readonly #active: ActiveCallers;

  constructor(connections: number, active: ActiveCallers) {
    this.#active = active;
    this.#half = Math.max(1, Math.floor(connections / 2));
  }

  mayHoldMore(caller: string): boolean {
    return this.#active.isAlone(caller) || (this.#held.get(caller) ?? 0) < this.#half;
  }

  hold(connection: Connection, caller: string): void {
    this.#holders.set(connection, caller);
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  /** Whether somebody held it. */
  release(connection: Connection): boolean {
    const caller = this.#holders.get(connection);
    if (caller === undefined) return false;
    this.#holders.delete(connection);
    this.#active.see(caller);
    const held = (this.#held.get(caller) ?? 0) - 1;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
    return true;
  }
}
