import { NOBODY } from '../callers.ts';

/**
 * A caller that has used no connection for so long is no longer counted among those who share them.
 */
const ACTIVE_MS = 10_000;

/** Callers who have used a connection lately. */
export class ActiveCallers {
  /** When callers last asked for or held a connection, the longest ago first. */
  readonly #seen = new Map<string, number>();

  /**
   * Notes that a caller uses connections. Checks that the service makes for itself name no caller
   * and do not count as one.
   */
  see(caller: string): void {
    if (caller === NOBODY) return;
    const now = performance.now();
    this.#seen.delete(caller);
    this.#seen.set(caller, now);
    for (const [other, seen] of this.#seen) {
      if (now - seen <= ACTIVE_MS) break;
      this.#seen.delete(other);
    }
  }

  /** Whether nobody else is active. */
  isAlone(caller: string): boolean {
    return this.#seen.size === 0 || (this.#seen.size === 1 && this.#seen.has(caller));
  }
}

/** What is shared. */
interface Shared {
  readonly connections: number;
  /** Whether a caller who is alone leaves one to others. */
  readonly keepsOne?: boolean;
}

/**
 * How connections are shared: a caller alone may hold all of them, or all but one, and at most half
 * of them while others use them too.
 */
export class Shares<Connection> {
  readonly #connections: number;
  readonly #alone: number;
  readonly #half: number;
  readonly #holders = new Map<Connection, string>();
  readonly #held = new Map<string, number>();
  readonly #active: ActiveCallers;

  constructor({ connections, keepsOne = false }: Shared, active: ActiveCallers) {
    this.#active = active;
    this.#connections = connections;
    this.#alone = Math.max(1, keepsOne ? connections - 1 : connections);
    this.#half = Math.max(1, Math.floor(connections / 2));
  }

  mayHoldMore(caller: string): boolean {
    const alone = caller === NOBODY ? this.#connections : this.#alone;
    const most = this.#active.isAlone(caller) ? alone : this.#half;
    return (this.#held.get(caller) ?? 0) < most;
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
