/** What a soak has seen. */
export class Findings {
  /** What was wrong, each kind once. */
  readonly wrong = new Set<string>();
  readonly #refusals = new Map<number, number>();
  replies = 0;
  #wrongReplies = 0;

  /** Counts a reply. @param error what is wrong with it, if anything is */
  reply(error: string | undefined): void {
    this.replies += 1;
    if (error === undefined) return;
    this.#wrongReplies += 1;
    if (this.wrong.size < MOST_SHOWN) this.wrong.add(error);
  }

  /** Counts a refusal that is to be expected. */
  refused(status: number): void {
    this.#refusals.set(status, (this.#refusals.get(status) ?? 0) + 1);
  }

  get summary(): string {
    const refusals = [...this.#refusals]
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
    return (
      `${this.replies} replies checked, ${this.#wrongReplies} ` +
      `wrong${refusals === '' ? '' : `; refused: ${refusals}`}`
    );
  }
}

const MOST_SHOWN = 10;
