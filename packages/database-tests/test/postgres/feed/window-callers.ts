import { type Engine, QueryFailedError } from '@proj/engine';
import { SEED, until } from '@proj/test-servers';

import { DataByVersion } from '../../data-by-version.ts';
import { Random } from '../../truth/random.ts';
import type { MovingWindow } from './moving-window.ts';

const SIZE = 10;

/** Callers who ask engines for first, deep and last pages of a moving window until they stop. */
export class WindowCallers {
  readonly #window: MovingWindow;
  readonly #callers: Promise<void>[];
  #isStopped = false;
  #replies = 0;
  readonly #wrong: string[] = [];
  readonly #failed: string[] = [];
  readonly #data = new DataByVersion();
  readonly #random = new Random(SEED);

  constructor(window: MovingWindow, engines: readonly Engine[]) {
    this.#window = window;
    this.#callers = engines.flatMap((engine) => [this.#ask(engine, 0), this.#ask(engine, 1)]);
  }

  /** Waits until the callers have had so many more replies, or have stopped. */
  async have(more: number): Promise<void> {
    const enough = this.#replies + more;
    await until(() => this.#replies >= enough || this.#wrong.length > 0 || this.#isStopped);
  }

  /**
   * Stops them, and returns which replies were of no state that there was, or of another than one
   * of the same version, and which requests failed.
   */
  async stop(): Promise<{ readonly wrong: string[]; readonly failed: string[] }> {
    this.#isStopped = true;
    await Promise.all(this.#callers);
    return { wrong: [...this.#wrong, ...this.#data.differing], failed: this.#failed };
  }

  async #ask(engine: Engine, seed: number): Promise<void> {
    for (let turn = seed; !this.#isStopped; turn++) {
      try {
        const page = this.#pageOf(turn);
        const { version, text } = await this.#window.ask(engine, page, SIZE);
        this.#data.note(version && `${version} of page ${page}`, text);
        this.#replies += 1;
      } catch (error) {
        const errors = error instanceof QueryFailedError ? this.#failed : this.#wrong;
        errors.push(String(error).slice(0, 500));
      }
    }
  }

  /** The first page, one from the middle or anywhere, and those near the end. */
  #pageOf(turn: number): number {
    const pages = Math.ceil(this.#window.rows / SIZE);
    const anywhere = this.#random.integer(1, pages);
    return [1, anywhere, Math.ceil(pages / 2), pages, anywhere, pages + 5][turn % 6] ?? 1;
  }
}

/** How many requests of an engine were answered with what follows the changes. */
export function followedHits(engine: Engine): number {
  return engine
    .statistics()
    .filter(({ mechanism }) => mechanism.startsWith('followed_'))
    .reduce((sum, { hits }) => sum + hits, 0);
}
