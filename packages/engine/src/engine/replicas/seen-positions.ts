import { LRUCache } from 'lru-cache';

import type { LogPositions } from '../../sources/log-position.ts';

const MOST_CALLERS = 10_000;

/** Unknown callers count as having seen what any forgotten one has, and the first state. */
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

  raise(position: string): void {
    this.#floor =
      this.#floor === undefined ? position : this.#positions.later(this.#floor, position);
  }

  note(caller: string, position: string): string {
    const known = this.#byCaller.get(caller);
    const seen = known === undefined ? position : this.#positions.later(known, position);
    this.#byCaller.set(caller, seen);
    return seen;
  }

  of(caller: string): string | undefined {
    return this.#byCaller.get(caller) ?? this.#floor;
  }
}
