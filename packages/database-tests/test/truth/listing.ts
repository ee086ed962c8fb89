import { type Filter, keeps } from './filter.ts';
import type { History } from './history.ts';
import { DEFAULT_SORT, type ModelName, type Row } from './models.ts';
import { type Comparison, orderBy, type SortTerm } from './order.ts';
import type { Change } from './world.ts';

/** Which records are listed, in which order. */
export interface Shape {
  readonly model: ModelName;
  /** Both the caller's filter and that of the grant. */
  readonly filters: readonly Filter[];
  readonly sort: readonly SortTerm[];
}

/** From so many changes on, sorting anew is quicker than putting each in its place. */
const MANY = 50;

/** The records of a shape in one state, which can be moved to the states around it. */
export class Listing {
  readonly #history: History;
  readonly #shape: Shape;
  readonly #compare: Comparison;
  #rows: Row[];
  #state: number;

  constructor(history: History, shape: Shape) {
    this.#history = history;
    this.#shape = shape;
    this.#compare = orderBy([...shape.sort, ...DEFAULT_SORT[shape.model]]);
    this.#rows = [...history.rows(shape.model).values()]
      .filter((row) => this.#lists(row))
      .toSorted(this.#compare);
    this.#state = history.newest;
  }

  get state(): number {
    return this.#state;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  moveTo(state: number): void {
    while (this.#state < state) {
      this.#state += 1;
      this.#apply(this.#history.changes(this.#shape.model, this.#state));
    }
    while (this.#state > state) {
      const changes = this.#history.changes(this.#shape.model, this.#state);
      this.#apply(changes.map(({ before, after }) => ({ before: after, after: before })));
      this.#state -= 1;
    }
  }

  #lists(row: Row | undefined): row is Row {
    return row !== undefined && this.#shape.filters.every((filter) => keeps(filter, row));
  }

  #apply(changes: readonly Change[]): void {
    const gone = changes.map(({ before }) => before).filter((row) => this.#lists(row));
    const come = changes.map(({ after }) => after).filter((row) => this.#lists(row));
    if (gone.length + come.length > MANY) {
      const leaving = new Set(gone);
      this.#rows = [...this.#rows.filter((row) => !leaving.has(row)), ...come].toSorted(
        this.#compare,
      );
      return;
    }
    for (const row of gone) this.#rows.splice(this.#place(row), 1);
    for (const row of come) this.#rows.splice(this.#place(row), 0, row);
  }

  /** How many rows come before this one. */
  #place(row: Row): number {
    let from = 0;
    let to = this.#rows.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.#rows[middle];
      if (other !== undefined && this.#compare(other, row) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
