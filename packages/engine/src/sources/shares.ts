import { NOBODY } from './callers.ts';

/** A caller that has used no connection for so long is no longer counted among those who share them. */
const ACTIVE_MS = 10_000;

/** How connections are shared: a caller alone may hold all of them, and at most half of them while others use them too. */
export class Shares<Connection> {
  readonly #half: number;
  readonly #holders = new Map<Connection, string>();
  readonly #held = new Map<string, number>();
  /** When callers last asked for or held a connection, the longest ago first. */
  readonly #active = new Map<string, number>();

  constructor(connections: number) {
    this.#half = Math.max(1, Math.floor(connections / 2));
  }

  /** Notes that a caller uses the connections. The service's own checks of the database, which have none, take no share from others. */
  see(caller: string): void {
    if (caller === NOBODY) return;
    const now = performance.now();
    this.#active.delete(caller);
    this.#active.set(caller, now);
    for (const [other, seen] of this.#active) {
      if (now - seen <= ACTIVE_MS) break;
      this.#active.delete(other);
    }
  }

  mayHoldMore(caller: string): boolean {
    const alone = this.#active.size === 0 || (this.#active.size === 1 && this.#active.has(caller));
    return alone || (this.#held.get(caller) ?? 0) < this.#half;
  }

  hold(connection: Connection, caller: string): void {
    this.#holders.set(connection, caller);
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  /** Whether somebody held it. */
  giveBack(connection: Connection): boolean {
    const caller = this.#holders.get(connection);
    if (caller === undefined) return false;
    this.#holders.delete(connection);
    this.see(caller);
    const held = (this.#held.get(caller) ?? 0) - 1;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
    return true;
  }
}
