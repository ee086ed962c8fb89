import type { PooledConnection } from '../src/sources/pools/connection-pool.ts';

/** A connection to nothing, for tests of pools. */
export class FakeConnection implements PooledConnection {
  readonly #listeners: (() => void)[] = [];
  alive = true;

  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  destroy(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const listener of this.#listeners) listener();
  }
}
