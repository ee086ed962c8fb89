import type { Condition, FollowedStates } from '@proj/engine/following';

import type { AskRow } from '../../connection/connection.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { Base, type BaseParts, type BaseSnapshot } from './base.ts';
import {
  BaseReads,
  differingKeys,
  type ExportedReads,
  type FoundTwice,
  type LockedRead,
} from './base-reads.ts';
import { differenceOf, type FilteredTotal, FilteredTotals, questionOf } from './filtered-totals.ts';
import { isAskable, isLogged, type ListedRelation } from './listed-order.ts';
import { KnownRows } from './known-rows.ts';
import { countLists } from './list-counts.ts';
import type { FollowedList, OrderedLists } from './ordered-lists.ts';
import { type RowFilter, RowFilters } from './row-filter.ts';
import { countOf, NO_ROWS, type RowQuestion, TouchedRows } from './touched-rows.ts';

/** Another base snapshot is taken when so many rows may differ from it, */
const RENEWING_KEYS = 300;

/** or so many transactions have changed some, */
const RENEWING_CHANGES = 2000;

/** and so many milliseconds after the last one at the earliest. */
const SHORTEST_MS = 100;

/** What was not used for so many milliseconds is no longer followed. */
const UNUSED_MS = 60_000;

/** The rows of so many callers of the database are followed, for all relations together. */
const MOST_SHOWN = 50;

/** A list is compared so often where it moves on to another base snapshot meanwhile. */
const MOST_TRIES = 3;

/** What is asked of the rows that may differ, and what an earlier read of the list has found. */
interface AskedRows {
  readonly touched: TouchedRows;
  readonly known?: KnownRows;
}

/** What lists have of the rows that may differ, in the base snapshot and in that of a read. */
interface Compared {
  readonly base: BaseSnapshot;
  /** For each question. */
  readonly lists: readonly FoundTwice[];
}

/** How many rows a list was counted to have. */
export interface CountedList {
  readonly filter: RowFilter;
  readonly total: bigint;
}

/** A list as a read sees it. */
export interface SeenList extends FoundTwice {
  readonly base: BaseSnapshot;
  /** Undefined for a list of all rows. */
  readonly total: bigint | undefined;
}

/** What became of filtered lists. */
export interface BaseCounters {
  /** Those that had to be counted again. */
  recounts: number;
}

/** Lists as a base snapshot sees them. */
export interface BaseStates extends Omit<FollowedStates, 'version'> {
  readonly snapshot: TransactionSnapshot;
}

/** What filtered lists are followed with. */
export interface FilteredListsParts extends Omit<BaseParts, 'move'> {
  readonly reads: ExportedReads;
  readonly ordered: OrderedLists;
  /** Asks in a snapshot that is taken after the call. */
  readonly askNow: AskRow;
  /** How long a base snapshot may be held, in milliseconds; 0 for none at all. */
  readonly heldMs: number;
  readonly counters: BaseCounters;
}

/**
 * Lists of which only the database can tell how changed rows moved: those of a filter, and those in
 * another order than that of the key. What they have is known in a base snapshot that is held open.
 * For the snapshot of a read, the rows that may differ are looked up by their keys in both:
 *
 *     total = total in the base - found in the base + found in the read
 */
export class FilteredLists {
  readonly #parts: FilteredListsParts;
  readonly #filters: RowFilters;
  readonly #reads: BaseReads;
  readonly #base: Base;
  /** By the token of their relation. */
  readonly #relations = new Map<string, FilteredTotals>();
  /** The tokens of those whose state in the next base snapshot is asked for. */
  readonly #asked = new Set<string>();
  readonly #ofLists = new WeakMap<FollowedList, AskedRows>();
  #keys = 0;

  constructor(parts: FilteredListsParts) {
    this.#parts = parts;
    this.#filters = new RowFilters(parts.reads.dialect);
    this.#reads = new BaseReads(parts.reads, parts.askNow);
    this.#base = new Base({ ...parts, move: (next) => this.#moveAll(next) });
  }

  /** For how long the base snapshot has been held, in seconds. */
  get heldSeconds(): number {
    const { current } = this.#base;
    return current === undefined ? 0 : (performance.now() - current.takenAt) / 1000;
  }

  /** How many rows of a relation may differ from the base snapshot, as of the last look. */
  get keys(): number {
    return this.#base.current === undefined ? 0 : this.#keys;
  }

  filterOf(condition: Condition | undefined): RowFilter {
    return this.#filters.of(condition);
  }

  hasTotal(token: string, condition: Condition | undefined): boolean {
    return this.#relations.get(token)?.has(this.filterOf(condition)) ?? false;
  }

  /** Begins to follow a list of a filter. Returns whether that is possible. */
  async begin({ relation, snapshot }: LockedRead, filter: RowFilter): Promise<boolean> {
    const { token, log } = relation;
    if (!this.#isAskable(relation, filter)) return false;
    if (this.#relations.has(token)) return true;
    const last = this.#base.current;
    if (last === undefined || differingKeys(log, last, snapshot) === undefined)
      await this.#base.renew();
    const base = this.#base.current;
    if (base?.covers(log) === true && !this.#relations.has(token)) {
      if (relation.shown !== undefined) this.#makeRoom();
      this.#relations.set(token, new FilteredTotals(relation, base, this.#parts.reads.dialect));
    }
    return true;
  }

  /** As {@link RelationMoment.countLists}. */
  async count(
    { relation, ask }: LockedRead,
    filters: readonly RowFilter[],
    most: number,
  ): Promise<(bigint | 'later' | undefined)[]> {
    const askable = filters.filter((filter) => this.#isAskable(relation, filter));
    const { dialect } = this.#parts.reads;
    const askRow: AskRow = (statement) => ask({ statement, named: false });
    const counts = await countLists({ relation, dialect, ask: askRow }, askable, most);
    const left = new Set(askable);
    return filters.map((filter) => counts.get(filter) ?? (left.has(filter) ? 'later' : undefined));
  }

  /** Notes how many rows a read has counted. Returns whether the totals are known now. */
  async learn(read: LockedRead, counted: readonly CountedList[]): Promise<boolean> {
    const { relation } = read;
    const touched = this.#rowsOf(relation, ...counted.map(({ filter }) => countOf(filter)));
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await this.#base.settled;
      const totals = this.#relations.get(relation.token);
      const found = totals && (await this.#compare(totals, read, { touched }));
      // The base may be older than the policies by which a caller is shown rows.
      if (found === undefined && relation.shown !== undefined) this.#renewSoon();
      if (totals === undefined || found === undefined) return false;
      // What is added while others move on would not be known in the next base snapshot.
      if (this.#base.isRenewing || !this.isKnownIn(relation, found.base)) continue;
      for (const [place, { filter, total }] of counted.entries())
        totals.add({
          filter,
          touched: this.#rowsOf(relation, { filter, columns: [] }),
          known: new KnownRows(),
          rows: total - differenceOf(found.lists[place] ?? NOTHING),
          ...usedNow(),
        });
      return true;
    }
    return false;
  }

  /**
   * What is known of lists of a relation in another base snapshot, which is taken for this.
   * Undefined where none of them is followed, or no snapshot is of use.
   */
  async states(
    token: string,
    conditions: readonly (Condition | undefined)[],
  ): Promise<BaseStates | undefined> {
    if (!this.#relations.has(token)) return undefined;
    this.#asked.add(token);
    const isRenewed = await this.#renew();
    this.#asked.delete(token);
    const totals = this.#relations.get(token);
    // Where no row was changed, a snapshot that was taken for another relation is not looked at.
    if (!isRenewed || totals?.base.isProven(token) !== true) return undefined;
    const lists = conditions.map((condition) => totals.state(this.filterOf(condition)));
    const { snapshot, takenAt, takenBy } = totals.base;
    return { snapshot, lists, takenAt, takenBy };
  }

  /**
   * What a read sees of a list; undefined where that is not known.
   *
   * @param list its order, for the keys of the rows that may differ. Default: only its total
   */
  async seen(
    read: LockedRead,
    filter: RowFilter,
    list?: FollowedList,
  ): Promise<SeenList | undefined> {
    const { relation } = read;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const totals = this.#relations.get(relation.token);
      const total = totals?.use(filter);
      // The log knows the total of all rows.
      const isCounted = total !== undefined || (list !== undefined && isLogged(relation, filter));
      const asked = list === undefined ? total : this.#askedOf(relation, list);
      if (totals === undefined || !isCounted || asked === undefined) return undefined;
      const rows = total?.rows;
      const { base, lists: [found] = [] } = (await this.#compare(totals, read, asked)) ?? {};
      if (base === undefined || found === undefined) return undefined;
      const seen = rows === undefined ? undefined : rows + differenceOf(found);
      // The keys of a list are those of its base.
      if (list === undefined || this.isKnownIn(relation, base))
        return { base, ...found, total: seen };
    }
    return undefined;
  }

  /** Whether the lists of a relation are known in a base snapshot. */
  isKnownIn({ token }: Pick<ListedRelation, 'token'>, base: BaseSnapshot): boolean {
    return this.#relations.get(token)?.base === base;
  }

  /** Looks after the bounds, with a snapshot all of whose changes were followed. */
  tick(snapshot: TransactionSnapshot): void {
    const { current } = this.#base;
    if (current === undefined) return;
    const now = performance.now();
    for (const totals of this.#relations.values())
      if (totals.usedAt < now - UNUSED_MS) this.#drop(totals);
    const heldMs = now - current.takenAt;
    const isOver = current.isLost || heldMs > this.#parts.heldMs;
    if (this.#relations.size === 0 || isOver) return this.#dropAll();
    const logs = [...this.#relations.values()].map(({ relation, base }) => {
      this.#noteKeys(relation.log.differingKeys(base.snapshot, snapshot)?.size ?? Infinity);
      return relation.log.differingChanges(base.snapshot, snapshot);
    });
    if (2 * heldMs > this.#parts.heldMs || Math.max(...logs) > RENEWING_CHANGES) this.#renewSoon();
  }

  async #compare(
    totals: FilteredTotals,
    read: LockedRead,
    { touched, known }: AskedRows,
  ): Promise<Compared | undefined> {
    const { base, relation } = totals;
    if (base.isLost) return this.#dropAll();
    totals.usedAt = performance.now();
    const keys = differingKeys(relation.log, base, read.snapshot);
    if (keys === undefined) {
      // A long read may be what is old, and not the base.
      const isOld = !base.snapshot.seesAllOf(read.snapshot);
      if (isOld && relation.log.isUsable(read.snapshot)) this.#recount(totals);
      return undefined;
    }
    this.#noteKeys(keys.size);
    const asked = known?.ask(relation, { base, snapshot: read.snapshot, keys });
    const lists =
      asked?.keys.size === 0
        ? touched.questions.map(() => NOTHING)
        : await this.#reads.compare(base, read, { keys: asked?.keys ?? keys, touched });
    return lists && { base, lists: asked ? lists.map((one) => asked.complete(one)) : lists };
  }

  #isAskable(relation: ListedRelation, filter: RowFilter): boolean {
    return this.#parts.heldMs > 0 && isAskable(relation, filter);
  }

  #rowsOf(relation: ListedRelation, ...questions: RowQuestion[]): TouchedRows {
    return new TouchedRows(relation, questions, this.#parts.reads.dialect);
  }

  #askedOf(relation: ListedRelation, list: FollowedList): AskedRows {
    const before = this.#ofLists.get(list);
    if (before !== undefined) return before;
    const touched = this.#rowsOf(relation, questionOf(list));
    const asked = { touched, known: new KnownRows() };
    this.#ofLists.set(list, asked);
    return asked;
  }

  #noteKeys(keys: number): void {
    this.#keys = keys;
    if (keys > RENEWING_KEYS) this.#renewSoon();
  }

  #renewSoon(): void {
    const age = performance.now() - (this.#base.current?.takenAt ?? 0);
    if (age > SHORTEST_MS) void this.#renew();
  }

  /** Returns whether there is another base snapshot. */
  #renew(): Promise<boolean> {
    return this.#base.renew().catch(() => {
      this.#dropAll();
      return false;
    });
  }

  async #moveAll(next: BaseSnapshot): Promise<void> {
    for (const totals of this.#relations.values()) {
      const hasMoved = await this.#move(totals, next).catch(() => false);
      if (!hasMoved) this.#recount(totals);
    }
  }

  async #move(totals: FilteredTotals, next: BaseSnapshot): Promise<boolean> {
    const { relation, base } = totals;
    const unusedSince = performance.now() - UNUSED_MS;
    for (const { filter, usedAt } of totals.all()) if (usedAt < unusedSince) totals.drop(filter);
    const keys = differingKeys(relation.log, base, next.snapshot);
    if (!next.covers(relation.log) || keys === undefined) return false;
    const { ordered } = this.#parts;
    const mustProve = this.#asked.has(relation.token);
    return totals.moveTo(next, keys, { ordered, reads: this.#reads, mustProve });
  }

  #recount(totals: FilteredTotals): void {
    this.#parts.counters.recounts += totals.size;
    this.#drop(totals);
  }

  /** For what another caller is shown: what was unused for longest goes. */
  #makeRoom(): void {
    const shown = [...this.#relations.values()].filter((one) => one.relation.shown !== undefined);
    const [oldest] = shown.toSorted((one, other) => one.usedAt - other.usedAt);
    if (oldest !== undefined && shown.length >= MOST_SHOWN) this.#drop(oldest);
  }

  #drop({ relation: { token } }: FilteredTotals): void {
    this.#relations.delete(token);
    this.#parts.ordered.forgetAsked(token);
  }

  #dropAll(): undefined {
    for (const totals of this.#relations.values()) this.#recount(totals);
    this.#base.drop();
  }
}

const NOTHING: FoundTwice = { before: NO_ROWS, now: NO_ROWS };

function usedNow(): Pick<FilteredTotal, 'usedAt' | 'changedAt'> {
  const now = performance.now();
  return { usedAt: now, changedAt: now };
}
