import type { World } from './world.ts';

/** So many states are kept beyond what requests under way need, to find what a stale reply shows. */
const KEPT = 300;

/** The states that a reply may show, the oldest first. */
export interface Shown {
  readonly worlds: readonly World[];
  /** Those before them that are still known. */
  readonly earlier: readonly World[];
}

/** Every state of the database, in the order of the commits. */
export class States {
  #worlds: World[];
  /** The number of the first one that is kept. */
  #first = 0;
  /** The newest one that readers must see. */
  #known = 0;
  /** For each request under way, the newest state that was known when it began. */
  readonly #underWay = new Set<{ readonly oldest: number }>();

  constructor(world: World) {
    this.#worlds = [world];
  }

  /** The newest one, which may not be committed yet. */
  get newest(): World {
    const world = this.#worlds.at(-1);
    if (world === undefined) throw new Error('No state is kept.');
    return world;
  }

  /** A commit is about to be sent: from now on readers may see what it does. */
  begin(apply: (world: World) => World): void {
    this.#worlds.push(apply(this.newest));
    const needed = Math.min(this.#known, ...[...this.#underWay].map(({ oldest }) => oldest));
    const spare = needed - this.#first - KEPT;
    if (spare < KEPT) return;
    this.#worlds = this.#worlds.slice(spare);
    this.#first += spare;
  }

  /** The commit is done: from now on readers must see what it did. */
  acknowledge(): void {
    this.#known = this.#first + this.#worlds.length - 1;
  }

  /** A request begins; what it returns ends it, and returns which states its reply may show. */
  open(): () => Shown {
    const request = { oldest: this.#known };
    this.#underWay.add(request);
    return () => {
      this.#underWay.delete(request);
      const oldest = request.oldest - this.#first;
      return { worlds: this.#worlds.slice(oldest), earlier: this.#worlds.slice(0, oldest) };
    };
  }
}
