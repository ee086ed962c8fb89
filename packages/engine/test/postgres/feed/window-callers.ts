import { until } from '@proj/test-servers';

import type { Engine } from '../../../src/index.ts';
import type { MovingWindow } from './moving-window.ts';

const SIZE = 10;

/** Callers who ask engines for first, deep and last pages of a moving window until they stop. */
export class WindowCallers {
  readonly #window: MovingWindow;
  readonly #callers: Promise<void>[];
  #isStopped = false;
  #replies = 0;
  /** Replies that were wrong, and requests that failed. */
  readonly mistakes: string[] = [];

  constructor(window: MovingWindow, engines: readonly Engine[]) {
    this.#window = window;
    this.#callers = engines.flatMap((engine) => [this.#ask(engine, 0), this.#ask(engine, 1)]);
  }

  /** Waits until the callers have had so many more replies. */
  async have(more: number): Promise<void> {
    const enough = this.#replies + more;
    await until(() => this.#replies >= enough || this.mistakes.length > 0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#callers);
  }

  async #ask(engine: Engine, seed: number): Promise<void> {
    for (let turn = seed; !this.#isStopped; turn++) {
      try {
        await this.#window.ask(engine, this.#pageOf(turn), SIZE);
        this.#replies += 1;
      } catch (error) {
        this.mistakes.push(String(error).slice(0, 500));
      }
    }
  }

  /** The first page, one from the middle or anywhere, and those near the end. */
  #pageOf(turn: number): number {
    const pages = Math.ceil(this.#window.rows / SIZE);
    const anywhere = Math.ceil(Math.random() * pages);
    return [1, anywhere, Math.ceil(pages / 2), pages, anywhere, pages + 5][turn % 6] ?? 1;
  }
}

/** How many requests of an engine were answered with what follows the changes. */
export function followedHits(engine: Engine): number {
  return engine
    .statistics()
    .filter(({ mechanism }) => mechanism.startsWith('maintained_'))
    .reduce((sum, { hits }) => sum + hits, 0);
}
