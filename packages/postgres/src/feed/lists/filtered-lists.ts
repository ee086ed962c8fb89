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
  NOTHING,
  type SeenList,
} from './base-reads.ts';
import { differenceOf, type FilteredTotal, FilteredTotals, questionOf } from './filtered-totals.ts';
import { isAskable, isLogged, type ListedRelation } from './listed-order.ts';
import { KnownRows } from './known-rows.ts';
import { countOf, TouchedRows } from './touched-rows.ts';
import { countLists } from './list-counts.ts';
import type { FollowedList, OrderedLists } from './ordered-lists.ts';
import { type RowFilter, RowFilters } from './row-filter.ts';

/** A new base snapshot is taken when so many rows may differ from it, */
const RENEWING_KEYS = 300;

/** or so many transactions have changed some, */
const RENEWING_CHANGES = 2000;

/** and at least so many milliseconds after the last. */
const SHORTEST_MS = 100;

/** In milliseconds; then a list is no longer followed. */
const UNUSED_MS = 60_000;

/** Callers whose rows are followed, for all relations together. */
const MOST_SHOWN = 50;

const MOST_TRIES = 3;

type AskedRows = Pick<FilteredTotal, 'touched'> & Partial<Pick<FilteredTotal, 'known'>>;

export interface FilteredListsParts extends Omit<BaseParts, 'move'> {
  readonly reads: ExportedReads;
  readonly ordered: OrderedLists;
  /** Asks in a snapshot taken after the call. */
  readonly askNow: AskRow;
  /** How long a base snapshot may be held, in milliseconds; 0 for none at all. */
  readonly heldMs: number;
  readonly counters: { recounts: number };
}

/**
 * Lists of a filter, or in another order than the key's: only the database can tell how changed
 * rows moved. Lists are known in a base snapshot; rows that may differ are looked up by key in the
 * base and in the read:
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
  readonly #ofLists = new WeakMap<FollowedList, AskedRows>();
  #keys = 0;

  constructor(parts: FilteredListsParts) {
    this.#parts = parts;
    this.#filters = new RowFilters(parts.reads.dialect);
    this.#reads = new BaseReads(parts.reads, parts.askNow);
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

  async begin({ relation, snapshot }: LockedRead, filter: RowFilter): Promise<boolean> {
    const { token, log } = relation;
    if (this.#parts.heldMs === 0 || !isAskable(relation, filter)) return false;
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

  async count(
    { relation, ask }: LockedRead,
    filters: readonly RowFilter[],
    most: number,
  ): Promise<(bigint | 'later' | undefined)[]> {
    const { heldMs, reads } = this.#parts;
    const askable = filters.filter((filter) => heldMs > 0 && isAskable(relation, filter));
    const askRow: AskRow = (statement) => ask({ statement, named: false });
    const rows = { relation, dialect: reads.dialect, ask: askRow };
    const counts = await countLists(rows, askable, most);
    const later = new Map(askable.map((filter) => [filter, 'later' as const]));
    return filters.map((filter) => counts.get(filter) ?? later.get(filter));
  }

  /** Takes a read's counts; returns whether the totals are known now. */
  async learn(
    read: LockedRead,
    counted: readonly { readonly filter: RowFilter; readonly total: bigint }[],
  ): Promise<boolean> {
    const { relation } = read;
    const questions = counted.map(({ filter }) => countOf(filter));
    const touched = new TouchedRows(relation, questions, this.#parts.reads.dialect);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await this.#base.settled;
      const totals = this.#relations.get(relation.token);
      const found = totals && (await this.#compare(totals, read, { touched }));
      // The base may be older than the policies by which a caller is shown rows.
      if (found === undefined && relation.shown !== undefined) this.#renewSoon();
      if (totals === undefined || found === undefined) return false;
      // The next base snapshot would not know a list added while others move.
      if (this.#base.isRenewing || !this.isKnownIn(relation, found.base)) continue;
      for (const [place, { filter, total }] of counted.entries())
        totals.add(filter, total - differenceOf(found.lists[place] ?? NOTHING));
      return true;
    }
    return false;
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
    if (!isRenewed || totals?.base.isProven(token) !== true) return undefined;
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
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const totals = this.#relations.get(relation.token);
      const total = totals?.use(filter);
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

  isKnownIn({ token }: Pick<ListedRelation, 'token'>, base: BaseSnapshot): boolean {
    return this.#relations.get(token)?.base === base;
  }

  /** Enforces the bounds, with a snapshot all of whose changes were followed. */
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
  ): Promise<(Pick<SeenList, 'base'> & { readonly lists: readonly FoundTwice[] }) | undefined> {
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

  #askedOf(relation: ListedRelation, list: FollowedList): AskedRows {
    const before = this.#ofLists.get(list);
    if (before !== undefined) return before;
    const touched = new TouchedRows(relation, [questionOf(list)], this.#parts.reads.dialect);
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
