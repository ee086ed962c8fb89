import type { Dialect } from '@proj/engine/database';
import type { FollowedState } from '@proj/engine/following';

import type { BaseSnapshot } from './base.ts';
import type { KnownRows } from './known-rows.ts';
import { isLogged, type ListedRelation } from './listed-order.ts';
import type { RowFilter } from './row-filter.ts';
import { type RowQuestion, TouchedRows } from './touched-rows.ts';

/** So many totals of a relation are followed. */
const MOST_TOTALS = 250;

/** How many rows of a relation meet a filter in its base snapshot. */
export interface FilteredTotal {
  readonly filter: RowFilter;
  /** Finds those with some keys. */
  readonly touched: TouchedRows;
  readonly known: KnownRows;
  rows: bigint;
  /** As a moment of `performance.now()`. */
  usedAt: number;
  /** As in {@link FollowedState}. */
  changedAt: number;
}

/**
 * The lists of a relation, all as the same base snapshot sees them. Where there are too many, the
 * one unused for longest goes.
 */
export class FilteredTotals {
  readonly relation: ListedRelation;
  base: BaseSnapshot;
  /** When one of its lists was used last, page indexes included. */
  usedAt = performance.now();
  /** When any row of the relation was last found to be changed. */
  changedAt = this.usedAt;
  /** By the names of their filters. The last one was used last. */
  readonly #totals = new Map<string, FilteredTotal>();

  readonly #dialect: Dialect;
  #asked: { readonly name: string; readonly rows: TouchedRows } | undefined;

  constructor(relation: ListedRelation, base: BaseSnapshot, dialect: Dialect) {
    this.relation = relation;
    this.base = base;
    this.#dialect = dialect;
  }

  /** What asks for lists of the relation, which are mostly those that were asked for before. */
  rowsOf(questions: readonly RowQuestion[]): TouchedRows {
    const name = JSON.stringify(questions.map(({ filter, columns }) => [filter.name, columns]));
    if (this.#asked?.name !== name)
      this.#asked = { name, rows: new TouchedRows(this.relation, questions, this.#dialect) };
    return this.#asked.rows;
  }

  get size(): number {
    return this.#totals.size;
  }

  has({ name }: RowFilter): boolean {
    return this.#totals.has(name);
  }

  /** The total of a list, which is used. */
  use({ name }: RowFilter): FilteredTotal | undefined {
    const total = this.#totals.get(name);
    if (total === undefined) return undefined;
    total.usedAt = performance.now();
    this.#totals.delete(name);
    this.#totals.set(name, total);
    return total;
  }

  /** A list in the base snapshot; undefined where its total is not followed. */
  state(filter: RowFilter): FollowedState | undefined {
    this.usedAt = performance.now();
    const { relation, base, changedAt } = this;
    const one = this.use(filter);
    if (one !== undefined) return { total: one.rows, changedAt: one.changedAt };
    const total = isLogged(relation, filter) ? relation.log.total(base.snapshot) : undefined;
    return total === undefined ? undefined : { total, changedAt };
  }

  all(): FilteredTotal[] {
    return [...this.#totals.values()];
  }

  add(total: FilteredTotal): void {
    this.#totals.set(total.filter.name, total);
    const [oldest] = this.#totals.keys();
    if (this.#totals.size > MOST_TOTALS && oldest !== undefined) this.#totals.delete(oldest);
  }

  drop({ name }: RowFilter): void {
    this.#totals.delete(name);
  }
}
