/** Content that keeps changing is handed over after this long, in milliseconds. */
const LONGEST_SETTLING_MS = 400;

/** The longest wait for content that keeps changing and is refused each time, in milliseconds. */
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Decides when changed content of a file is reloaded: when it was the same twice in a row, so that
 * a half-written file is not read, or when it has kept changing for a time. That time doubles each
 * time the reload is refused.
 */
export class Settling {
  #handedOver: string;
  #pending: { readonly content: string; readonly since: number } | undefined;
  #longestMs = LONGEST_SETTLING_MS;

  /** @param content what is applied already */
  constructor(content: string) {
    this.#handedOver = content;
  }

  /**
   * Whether the content is to be handed over now.
   *
   * @param content a text that is equal only for equal content
   * @param at milliseconds that never go back
   */
  observe(content: string, at: number): boolean {
    const since = this.#pending?.since ?? at;
    const settled = this.#pending?.content === content;
    this.#pending = content === this.#handedOver ? undefined : { content, since };
    if (this.#pending === undefined || !(settled || at - since >= this.#longestMs)) return false;
    this.#handedOver = content;
    this.#pending = undefined;
    return true;
  }

  /** Takes note of what became of the content that was handed over. */
  conclude(applied: boolean): void {
    this.#longestMs = applied
      ? LONGEST_SETTLING_MS
      : Math.min(LONGEST_BACKOFF_MS, this.#longestMs * 2);
  }
}
