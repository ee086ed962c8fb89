/** How long a chunk is to take, in milliseconds, beside what every statement takes. */
const CHUNK_MS = 25;

const FIRST_ROWS = 1000;
/** A walk in smaller chunks would take too many statements. */
export const FEWEST_ROWS = 100;

/** The database keeps a chunk in memory, where it has to sort it. */
export const MOST_ROWS = 10_000;

/** How many rows the next chunk of a walk reads, by how long those before it took. */
export class WalkPace {
  readonly #mostRows: number;
  #rows: number;
  #quickestMs = Infinity;

  /** @param mostRows how many rows a chunk may have */
  constructor(mostRows = MOST_ROWS) {
    this.#mostRows = mostRows;
    this.#rows = Math.min(FIRST_ROWS, mostRows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Notes how long a chunk took that had as many rows as it might. */
  note(milliseconds: number): void {
    // The way to the database and back is a part of every chunk, and no work.
    this.#quickestMs = Math.min(this.#quickestMs, milliseconds);
    const workMs = milliseconds - this.#quickestMs;
    const factor = Math.min(2, CHUNK_MS / Math.max(1, workMs));
    this.#rows = Math.round(Math.min(this.#mostRows, Math.max(FEWEST_ROWS, this.#rows * factor)));
  }
}
