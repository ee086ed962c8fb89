import type { Dialect } from '@proj/engine/database';
import type { CountOutcome, FollowedState } from '@proj/engine/following';
import { LRUCache } from 'lru-cache';

import type { AskRow, Row } from '../../connection/connection.ts';
import type { KeyTexts, RowChange } from '../changes/transactions.ts';
import type { BaseReads } from './base-reads.ts';
import type { BaseSnapshot } from './base.ts';
import {
  type FollowedList,
  isLogged,
  type ListedOrder,
  type ListedRelation,
  type OrderedLists,
} from './ordered-lists.ts';
import {
  countOf,
  type FoundTwice,
  NOTHING,
  type RowFilter,
  type RowQuestion,
  TouchedRows,
} from './touched-rows.ts';

const MOST_TOTALS = 250;

export interface FilteredTotal {
  readonly filter: RowFilter;
  readonly touched: TouchedRows;
  /** Until it is counted, without what the count will find. */
  rows: bigint;
  isCounted: boolean;
  usedAt: number;
  changedAt: number;
}

export interface Counting {
  /** Each list's rows. */
  readonly count: () => Promise<{ readonly counts: Row; readonly tookMs: number }>;
  readonly leastMs: number;
  readonly onBegin?: (areCounted: readonly boolean[]) => void;
}

interface MoveParts {
  readonly ordered: Pick<OrderedLists, 'asked'>;
  readonly reads: Pick<BaseReads, 'compareNext' | 'askAt'>;
  /** Whether the next snapshot has to prove its schema, even without keys. */
  readonly mustProve: boolean;
}

/** A relation's lists in one base snapshot; of too many, the one unused for longest goes. */
export class FilteredTotals {
  readonly relation: ListedRelation;
  base: BaseSnapshot;
  /** Page indexes included. */
  usedAt = performance.now();
  changedAt = this.usedAt;
  readonly #totals = new LRUCache<string, FilteredTotal>({ max: MOST_TOTALS });
  readonly #dialect: Dialect;
  #asked: { readonly name: string; readonly rows: TouchedRows } | undefined;

  constructor(relation: ListedRelation, base: BaseSnapshot, dialect: Dialect) {
    this.relation = relation;
    this.base = base;
    this.#dialect = dialect;
  }

  /** Takes the keys of rows that may differ. Returns whether lists are known in the next base. */
  async moveTo(
    next: BaseSnapshot,
    keys: ReadonlySet<string>,
    { ordered, reads, mustProve }: MoveParts,
  ): Promise<boolean> {
    const { relation, base } = this;
    const counted = this.all();
    const lists = ordered.asked(relation.token);
    const isAsked = keys.size > 0 || mustProve;
    if (isAsked && counted.length + lists.length > 0) {
      const questions = counted.map(({ filter }) => countOf(filter));
      const touched = this.#rowsOf([...questions, ...lists.map(questionOf)]);
      const found = await reads.compareNext(base, next, { relation, keys, touched });
      if (found === undefined) return false;
      const moved = found.slice(counted.length).map(movedRows);
      await placeKeys(lists, moved, (work) => reads.askAt(next, relation, work));
      for (const [place, total] of counted.entries())
        noteFound(total, found[place] ?? NOTHING, next);
      for (const [place, kept] of lists.entries()) moveList(kept, moved[place] ?? []);
      // Lists begun meanwhile were not asked for; none is counted meanwhile.
      for (const one of ordered.asked(relation.token)) if (!lists.includes(one)) one.list.forget();
    }
    if (keys.size > 0) this.changedAt = next.takenAt;
    this.base = next;
    return true;
  }

  /** Mostly the same lists as before, so it is kept. */
  #rowsOf(questions: readonly RowQuestion[]): TouchedRows {
    const name = JSON.stringify(questions.map(({ filter, columns }) => [filter.name, columns]));
    if (this.#asked?.name !== name)
      this.#asked = { name, rows: new TouchedRows(this.relation, questions, this.#dialect) };
    return this.#asked.rows;
  }

  get size(): number {
    return this.#totals.size;
  }

  has({ name }: RowFilter): boolean {
    return this.#totals.peek(name)?.isCounted === true;
  }

  use({ name }: RowFilter): FilteredTotal | undefined {
    const total = this.#totals.get(name);
    if (total?.isCounted !== true) return undefined;
    total.usedAt = performance.now();
    return total;
  }

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

  /**
   * Counts lists, whose totals move with the base from before: a count may take longer than rows
   * can be compared with the same base. Keeps none where it took less than so many milliseconds.
   *
   * @param found where the base differs from the snapshot in which they are counted
   */
  async count(
    filters: readonly RowFilter[],
    found: readonly FoundTwice[],
    { count, leastMs }: Counting,
  ): Promise<CountOutcome> {
    const now = performance.now();
    const expected = filters.map((filter, place): FilteredTotal => {
      const touched = new TouchedRows(this.relation, [countOf(filter)], this.#dialect);
      const rows = -differenceOf(found[place] ?? NOTHING);
      const total = { filter, touched, rows, isCounted: false, usedAt: now, changedAt: now };
      this.#totals.set(filter.name, total);
      return total;
    });
    try {
      const { counts, tookMs } = await count();
      if (tookMs < leastMs) return 'refused';
      for (const [place, total] of expected.entries()) {
        total.rows += BigInt(counts[place] ?? 0);
        total.isCounted = true;
      }
      const isKept = expected.every((total) => this.#totals.peek(total.filter.name) === total);
      return isKept ? 'known' : 'late';
    } finally {
      for (const { isCounted, filter } of expected) if (!isCounted) this.drop(filter);
    }
  }

  clear(): void {
    this.#totals.clear();
  }

  drop({ name }: RowFilter): void {
    this.#totals.delete(name);
  }
}

function noteFound(total: FilteredTotal, found: FoundTwice, next: BaseSnapshot): void {
  total.rows += differenceOf(found);
  if (found.before.count + found.now.count > 0) total.changedAt = next.takenAt;
}

export function questionOf({ filter, columns }: ListedOrder): RowQuestion {
  if (filter === undefined) throw new Error('The log says how the rows of this list moved.');
  return { filter, columns };
}

export function differenceOf({ before, now }: FoundTwice): bigint {
  return BigInt(now.count - before.count);
}

/** Without rows that stayed where they were. */
export function movedRows({ before, now }: FoundTwice): RowChange[] {
  const left = new Map<string, number>();
  for (const texts of now.keys) add(left, texts, 1);
  const went = before.keys.flatMap((texts) => (add(left, texts, -1) < 0 ? { went: texts } : []));
  const came = now.keys.flatMap((texts) => (add(left, texts, -1) >= 0 ? { came: texts } : []));
  return [...went, ...came];
}

function add(sums: Map<string, number>, texts: KeyTexts, rows: 1 | -1): number {
  const name = JSON.stringify(texts);
  const sum = (sums.get(name) ?? 0) + rows;
  sums.set(name, sum);
  return sum;
}

async function placeKeys(
  lists: readonly FollowedList[],
  moved: readonly (readonly RowChange[])[],
  askAt: (work: (ask: AskRow) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  if (lists.every(({ placing }, index) => placing?.knows(moved[index] ?? []) !== false)) return;
  await askAt(async (ask) => {
    for (const [index, { placing }] of lists.entries())
      await placing?.place(moved[index] ?? [], ask);
  });
}

function moveList({ list, placing }: FollowedList, rows: readonly RowChange[]): void {
  if (placing?.knows(rows) === false) return list.forget();
  list.append({ rows });
  placing?.clear();
}
