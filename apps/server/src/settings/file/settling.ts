/** Content that keeps changing is handed over after this long, in milliseconds. */
const LONGEST_SETTLING_MS = 400;

/** The longest wait for content that keeps changing and is refused, in milliseconds. */
const LONGEST_BACKOFF_MS = 30_000;

/** Accepts content that is unchanged twice, or keeps changing for a time that refusals double. */
export class Settling {
  #handedOver: string;
  #pending: { readonly content: string; readonly since: number } | undefined;
  #longestMs = LONGEST_SETTLING_MS;

  /** @param content what is applied already */
  constructor(content: string) {
    this.#handedOver = content;
  }

  /**
   * Whether to hand the content over now.
   *
   * @param content equal only for equal content
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

  /** Whether the handed over content was applied. */
  conclude(applied: boolean): void {
    this.#longestMs = applied
      ? LONGEST_SETTLING_MS
      : Math.min(LONGEST_BACKOFF_MS, this.#longestMs * 2);
  }
}
