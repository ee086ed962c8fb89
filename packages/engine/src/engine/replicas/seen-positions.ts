import { LRUCache } from 'lru-cache';

import type { LogPositions } from '../../sources/log-position.ts';

/** Callers whose last positions are remembered, each by its own. */
const MOST_CALLERS = 10_000;

/**
 * The latest position that each caller was shown. A caller who is not remembered is treated as if
 * it had seen everything that any forgotten caller has, and what the primary showed at the start.
 */
export class SeenPositions {
  readonly #positions: LogPositions;
  readonly #byCaller: LRUCache<string, string>;
  #floor: string | undefined;

  constructor(positions: LogPositions, mostCallers = MOST_CALLERS) {
    this.#positions = positions;
    this.#byCaller = new LRUCache({
      max: mostCallers,
      dispose: (position, _caller, reason) => {
        if (reason === 'evict') this.raise(position);
      },
    });
  }

  /** Every caller may have seen this from now on. */
  raise(position: string): void {
    this.#floor =
      this.#floor === undefined ? position : this.#positions.later(this.#floor, position);
  }

  /** Notes what a caller is about to see, and returns how far that is with what it has seen. */
  note(caller: string, position: string): string {
    const known = this.#byCaller.get(caller);
    const seen = known === undefined ? position : this.#positions.later(known, position);
    this.#byCaller.set(caller, seen);
    return seen;
  }

  /** What a caller may have seen; undefined before anything is known. */
  of(caller: string): string | undefined {
    return this.#byCaller.get(caller) ?? this.#floor;
  }
}
