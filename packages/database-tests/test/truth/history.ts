import { type Change, type Changes, type Edit, World } from './world.ts';
import type { ModelName, Row } from './models.ts';

/** The states that a reply may show, both ends included. */
export interface Window {
  /** The last state that was known of before the request began. */
  readonly oldest: number;
  /** The last state that could have been seen before the reply came. */
  readonly newest: number;
}

/**
 * So many states are kept beyond what requests under way need, to tell how old a stale reply is.
 */
const KEPT = 2000;

/**
 * Every state of the database, in the order of the commits. The newest state is kept as rows, and
 * the others as what each commit changed.
 */
export class History {
  readonly #world = new World();
  /** What led to the states from `#first` on. */
  readonly #changes: Changes[] = [];
  #first = 1;
  #newest = 0;
  #known = 0;
  /** Since when the requests under way may have seen the data. */
  readonly #underWay = new Map<symbol, number>();

  /** The number of the newest state. It may not be committed yet. */
  get newest(): number {
    return this.#newest;
  }

  /** The oldest state that is still kept. */
  get oldest(): number {
    return this.#first - 1;
  }

  /** The rows of a model in the newest state. */
  rows(model: ModelName): ReadonlyMap<number, Row> {
    return this.#world[model];
  }

  /** A commit is about to be sent: from now on readers may see what it does. */
  begin(edits: readonly Edit[]): void {
    this.#changes.push(this.#world.apply(edits));
    this.#newest += 1;
    this.#forget();
  }

  /** The commit is done: from now on readers must see what it did. */
  acknowledge(): void {
    this.see(this.#newest);
  }

  /** A reader saw this state; who asks from now on must not see an older one. */
  see(state: number): void {
    this.#known = Math.max(this.#known, state);
  }

  /** A request begins; what it returns ends it, and returns which states its reply may show. */
  open(): () => Window {
    const request = Symbol('request');
    const oldest = this.#known;
    this.#underWay.set(request, oldest);
    return () => {
      this.#underWay.delete(request);
      return { oldest, newest: this.#newest };
    };
  }

  /** What led from the state before to this one. */
  changes(model: ModelName, state: number): readonly Change[] {
    const changes = this.#changes[state - this.#first];
    if (changes === undefined)
      throw new Error(`State ${state} is not kept: ${this.oldest} to ${this.#newest} are.`);
    return changes[model];
  }

  #forget(): void {
    const needed = Math.min(this.#known, ...this.#underWay.values());
    const spare = needed - KEPT - this.oldest;
    if (spare < KEPT) return;
    this.#changes.splice(0, spare);
    this.#first += spare;
  }
}
