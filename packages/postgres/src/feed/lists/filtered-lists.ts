import type { Condition, CountOutcome, FollowedStates } from '@proj/engine/following';

import type { TransactionSnapshot } from '../../log/snapshot.ts';
import type { RelationLog } from '../changes/relation-log.ts';
import { Base, type BaseParts, type BaseSnapshot } from './base.ts';
import {
  BaseReads,
  differingKeys,
  type BaseReadsParts,
  type LockedRead,
  type SeenList,
} from './base-reads.ts';
import { type Counting, differenceOf, FilteredTotals, questionOf } from './filtered-totals.ts';
import {
  type FollowedList,
  isAskable,
  isLogged,
  type ListedOrder,
  type ListedRelation,
  type OrderedLists,
} from './ordered-lists.ts';
import {
  countOf,
  type FoundTwice,
  type RowFilter,
  RowFilters,
  TouchedRows,
} from './touched-rows.ts';
import { CountBatch, countsOf } from './list-counts.ts';

/** A new base is taken when more rows than these may differ from the last, */
const RENEWING_KEYS = 300;

/** or when more transactions changed rows: every read looks through them. */
const RENEWING_CHANGES = 2000;

/** A base younger than this, in milliseconds, is kept nevertheless. */
const SHORTEST_MS = 100;

/** In milliseconds. Lists that nobody asked for during this time are no longer followed, */
const UNUSED_MS = 60_000;

/** and relations without lists after this time. */
const EMPTY_MS = 10_000;

/** Callers whose rows are followed, for all relations together. */
const MOST_SHOWN = 50;

const MOST_TRIES = 3;

export interface FilteredListsParts extends Omit<BaseParts, 'move'>, BaseReadsParts {
  readonly ordered: OrderedLists;
  /** How long a base snapshot may be held, in milliseconds. */
  readonly heldMs: number;
  readonly counters: { recounts: number };
}

/**
 * Lists of a filter, or in another order than the key's: only the database can tell how changed
 * rows moved. Lists are known in a base snapshot; rows that may differ are looked up in both:
 *
 *     total = total in the base - found in the base + found in the read
 */
export class FilteredLists {
  readonly #parts: FilteredListsParts;
  readonly #filters: RowFilters;
  readonly #reads: BaseReads;
  readonly #base: Base;
  readonly #relations = new Map<string, FilteredTotals>();
  /** Tokens whose state in the next base snapshot is asked for. */
  readonly #asked = new Set<string>();
  readonly #batches = new WeakMap<RelationLog, CountBatch>();
  #keys = 0;

  constructor(parts: FilteredListsParts) {
    this.#parts = parts;
    this.#filters = new RowFilters(parts.dialect);
    this.#reads = new BaseReads(parts);
    this.#base = new Base({ ...parts, move: (next) => this.#moveAll(next) });
  }

  get heldSeconds(): number {
    const { current } = this.#base;
    return current === undefined ? 0 : (performance.now() - current.takenAt) / 1000;
  }

  /** Rows of a relation that may differ from the base snapshot, as last looked at. */
  get keys(): number {
    return this.#base.current === undefined ? 0 : this.#keys;
  }

  filterOf(condition: Condition | undefined): RowFilter {
    return this.#filters.of(condition);
  }

  hasTotal(token: string, condition: Condition | undefined): boolean {
    return this.#relations.get(token)?.has(this.filterOf(condition)) ?? false;
  }

  async begin({ relation, snapshot }: LockedRead): Promise<void> {
    const { token, log } = relation;
    if (this.#relations.has(token)) return;
    const last = this.#base.current;
    if (last === undefined || differingKeys(log, last, snapshot) === undefined)
      await this.#base.renew();
    const base = this.#base.current;
    if (base?.covers(log) === true && !this.#relations.has(token)) {
      if (relation.shown !== undefined) this.#makeRoom();
      this.#relations.set(token, new FilteredTotals(relation, base, this.#parts.dialect));
    }
  }

  touchedOf(relation: ListedRelation, list: ListedOrder): TouchedRows {
    return new TouchedRows(relation, [questionOf(list)], this.#parts.dialect);
  }

  async count(
    read: LockedRead,
    filters: readonly RowFilter[],
    { leastMs, onBegin }: Pick<Counting, 'leastMs' | 'onBegin'>,
  ): Promise<(CountOutcome | undefined)[]> {
    const { relation, ask } = read;
    const askable = new Set(filters.filter((filter) => isAskable(relation, filter)));
    if (askable.size === 0) return filters.map(() => 'refused');
    const batch = this.#batches.get(relation.log) ?? new CountBatch();
    this.#batches.set(relation.log, batch);
    const terms = { most: batch.size, dialect: this.#parts.dialect };
    const { lists, statement } = countsOf(relation, [...askable], terms);
    onBegin?.(filters.map((filter) => lists.includes(filter)));
    const count: Counting['count'] = () => batch.timed(lists.length, () => ask(statement));
    const learned = await this.#learn(read, lists, { count, leastMs });
    return filters.map((filter) => {
      if (!askable.has(filter)) return 'refused';
      return lists.includes(filter) ? learned : undefined;
    });
  }

  async #learn(
    read: LockedRead,
    lists: readonly RowFilter[],
    counting: Counting,
  ): Promise<CountOutcome> {
    await this.begin(read);
    const { relation } = read;
    const touched = new TouchedRows(relation, lists.map(countOf), this.#parts.dialect);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await this.#base.settled;
      const totals = this.#relations.get(relation.token);
      const found = totals && (await this.#compare(totals, read, touched));
      // The base may be older than the policies by which a caller is shown rows.
      if (found === undefined && relation.shown !== undefined) this.#renewSoon();
      if (totals === undefined || found === undefined) return 'late';
      // The next base snapshot would not know a list added while others move.
      if (this.#base.isRenewing || this.#relations.get(relation.token)?.base !== found.base)
        continue;
      return totals.count(lists, found.lists, counting);
    }
    return 'late';
  }

  /** What is known of lists in a new base snapshot; undefined where nothing is. */
  async states(
    token: string,
    conditions: readonly (Condition | undefined)[],
  ): Promise<(Omit<FollowedStates, 'version'> & Pick<BaseSnapshot, 'snapshot'>) | undefined> {
    if (!this.#relations.has(token)) return undefined;
    this.#asked.add(token);
    const isRenewed = await this.#renew();
    this.#asked.delete(token);
    const totals = this.#relations.get(token);
    // Without changed rows, a snapshot taken for another relation is not looked at.
    if (isRenewed !== true || totals?.base.proven.has(token) !== true) return undefined;
    const lists = conditions.map((condition) => totals.state(this.filterOf(condition)));
    const { snapshot, takenAt, takenBy } = totals.base;
    return { snapshot, lists, takenAt, takenBy };
  }

  /** What a read sees of a list. `list` adds the keys of changed rows. Undefined where unknown. */
  async seen(
    read: LockedRead,
    filter: RowFilter,
    list?: FollowedList,
  ): Promise<SeenList | undefined> {
    const { relation } = read;
    const totals = this.#relations.get(relation.token);
    const total = totals?.use(filter);
    const isCounted = total !== undefined || isLogged(relation, filter);
    const { touched } = list ?? total ?? {};
    if (totals === undefined || !isCounted || touched === undefined) return undefined;
    const rows = total?.rows;
    const { lists: [found] = [] } = (await this.#compare(totals, read, touched)) ?? {};
    if (found === undefined) return undefined;
    return { ...found, total: rows === undefined ? undefined : rows + differenceOf(found) };
  }

  /** Enforces the bounds. Those of changes need a snapshot all of whose changes were followed. */
  tick(snapshot: TransactionSnapshot | undefined): void {
    const { current } = this.#base;
    if (current === undefined) return;
    const now = performance.now();
    for (const totals of this.#relations.values()) {
      const lists = totals.size + this.#parts.ordered.asked(totals.relation.token).length;
      if (totals.usedAt < now - (lists > 0 ? UNUSED_MS : EMPTY_MS)) this.#drop(totals);
    }
    const heldMs = now - current.takenAt;
    const isOver = current.isLost || heldMs > this.#parts.heldMs;
    if (this.#relations.size === 0 || isOver) return this.#dropAll();
    if (snapshot === undefined) return;
    const logs = [...this.#relations.values()].map(({ relation, base }) => {
      this.#noteKeys(relation.log.differingKeys(base.snapshot, snapshot)?.size ?? Infinity);
      return relation.log.differingChanges(base.snapshot, snapshot);
    });
    if (2 * heldMs > this.#parts.heldMs || Math.max(...logs) > RENEWING_CHANGES) this.#renewSoon();
  }

  async #compare(
    totals: FilteredTotals,
    read: LockedRead,
    touched: TouchedRows,
  ): Promise<{ readonly base: BaseSnapshot; readonly lists: readonly FoundTwice[] } | undefined> {
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
    const lists = await this.#reads.compare(base, read, { keys, touched });
    return lists && { base, lists };
  }

  #noteKeys(keys: number): void {
    this.#keys = keys;
    if (keys > RENEWING_KEYS) this.#renewSoon();
  }

  #renewSoon(): void {
    const age = performance.now() - (this.#base.current?.takenAt ?? 0);
    if (age > SHORTEST_MS) void this.#renew();
  }

  #renew(): Promise<boolean | undefined> {
    return this.#base.renew().catch(() => this.#dropAll());
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

  #makeRoom(): void {
    const shown = [...this.#relations.values()].filter((one) => one.relation.shown !== undefined);
    const [oldest] = shown.toSorted((one, other) => one.usedAt - other.usedAt);
    if (oldest !== undefined && shown.length >= MOST_SHOWN) this.#drop(oldest);
  }

  #drop(totals: FilteredTotals): void {
    totals.clear();
    this.#relations.delete(totals.relation.token);
    this.#parts.ordered.forgetAsked(totals.relation.token);
  }

  #dropAll(): undefined {
    for (const totals of this.#relations.values()) this.#recount(totals);
    this.#base.drop();
  }
}
