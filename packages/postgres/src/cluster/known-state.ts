import { type FoundState, isSame } from './found-state.ts';

/** A state that was seen for so many milliseconds is expected to last for as many more. */
const LASTING_MS = 1000;

/** The state that was found last, as long as no server is seen to have left it. */
export class KnownState {
  #state: FoundState | undefined;
  #firstSeen = 0;
  #lastSeen = 0;

  get state(): FoundState | undefined {
    return this.#state;
  }

  /**
   * Whether it is expected to be that of all servers still, so that whoever reads in it need not
   * look at them before.
   */
  get lasts(): boolean {
    return (
      this.#state !== undefined &&
      this.#lastSeen - this.#firstSeen >= LASTING_MS &&
      performance.now() - this.#lastSeen < LASTING_MS
    );
  }

  /** Notes a state that was found. */
  learn(state: FoundState): void {
    if (this.#state === undefined || !isSame(this.#state, state)) {
      this.#state = state;
      this.#firstSeen = performance.now();
    }
    this.#lastSeen = performance.now();
  }

  /** Notes what the servers showed, which ends the state if it is another one. */
  see(seen: FoundState): void {
    if (this.#state === undefined) return;
    if (isSame(this.#state, seen)) this.#lastSeen = performance.now();
    else this.#state = undefined;
  }
}
