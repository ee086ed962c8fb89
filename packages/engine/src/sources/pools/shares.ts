import { NOBODY } from '../read-call.ts';

/** A caller without a connection for so long no longer counts. */
const ACTIVE_MS = 10_000;

export class ActiveCallers {
  /** When callers last asked for or held a connection, oldest first. */
  readonly #seen = new Map<string, number>();

  /** Notes a use. The service's own checks name no caller and do not count. */
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

  isAlone(caller: string): boolean {
    return this.#seen.size === 0 || (this.#seen.size === 1 && this.#seen.has(caller));
  }
}

interface Shared {
  readonly connections: number;
  readonly keepsOne?: boolean;
}

/** A caller alone may hold all connections, or all but one; with others active, at most half. */
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
