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
