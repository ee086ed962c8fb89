import type { PageRange } from '@proj/engine/database';
import type {
  Checkpoints,
  Condition,
  CountOutcome,
  FollowedIndex,
  FollowedOrder,
  KeyRows,
  RelationMoment,
  RowPlace,
  WantedKeys,
} from '@proj/engine/following';

import type { AskRow } from '../../connection/connection.ts';
import type { Ask } from '../../connection/running-work.ts';
import type { KeyTexts, RowChange } from '../changes/transactions.ts';
import type { LockedRead, SeenList } from './base-reads.ts';
import type { FilteredLists } from './filtered-lists.ts';
import { movedRows } from './filtered-totals.ts';
import type { KeyRead, PlacedKey } from './ordered-list.ts';
import {
  type FollowedList,
  isLogged,
  listedOrder,
  type ListedRelation,
  type OrderedLists,
} from './ordered-lists.ts';
import { ALL_ROWS, type RowFilter } from './touched-rows.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { quotedPath } from '../../values/sql-text.ts';

interface SeenMomentParts {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly version: string;
  readonly ordered: OrderedLists;
  /** Undefined where only lists of all rows by key are followed. */
  readonly filtered: FilteredLists | undefined;
  /** Asks in the snapshot; undefined once its transaction has ended. */
  readonly ask: Ask | undefined;
}

/** A relation in a running read's snapshot, all of whose changes were followed. */
export class SeenMoment implements RelationMoment {
  readonly version: string;
  readonly #parts: SeenMomentParts;
  readonly #asking: { readonly filtered: FilteredLists; readonly read: LockedRead } | undefined;
  readonly #totals = new Map<string, bigint>();

  constructor(parts: SeenMomentParts) {
    const { relation, snapshot, version, filtered, ask } = parts;
    this.version = version;
    this.#parts = parts;
    this.#asking = filtered && ask && { filtered, read: { relation, snapshot, ask } };
  }

  async total(condition?: Condition): Promise<bigint | undefined> {
    if (isLogged(this.#parts.relation, { condition }))
      return this.#parts.relation.log.total(this.#parts.snapshot);
    if (this.#asking === undefined) return undefined;
    const { filtered, read } = this.#asking;
    const filter = filtered.filterOf(condition);
    return this.#totals.get(filter.name) ?? this.#note(filter, await filtered.seen(read, filter));
  }

  async countLists(
    conditions: readonly (Condition | undefined)[],
    terms: Parameters<RelationMoment['countLists']>[1],
  ): Promise<readonly (CountOutcome | undefined)[]> {
    const [first] = conditions;
    if (isLogged(this.#parts.relation, { condition: first })) return [await this.#countAll()];
    if (this.#asking === undefined) return conditions.map(() => 'refused');
    const { filtered, read } = this.#asking;
    const filters = conditions.map((condition) => filtered.filterOf(condition));
    return filtered.count(read, filters, terms);
  }

  async #countAll(): Promise<CountOutcome> {
    const { log, path } = this.#parts.relation;
    const snapshot = this.#parts.snapshot;
    if (log.total(snapshot) === undefined && log.canLearnTotal(snapshot)) {
      const sql = `select count(*)::text from ${quotedPath(path)}`;
      const statement = { sql, parameters: [], relations: [path] };
      const [total] = (await this.#parts.ask?.(statement)) ?? [];
      if (typeof total === 'string') log.learnTotal(snapshot, BigInt(total));
    }
    return log.total(snapshot) === undefined ? 'late' : 'known';
  }

  async index(order: FollowedOrder): Promise<FollowedIndex | undefined> {
    const filter = this.#filterOf(order.condition);
    const kept = filter && this.#parts.ordered.get(this.#parts.relation, order, filter);
    if (kept === undefined) return undefined;
    if (kept.filter !== undefined) return new ListKeys(kept, await this.#asked(kept, kept.filter));
    const { relation, snapshot } = this.#parts;
    const unseen = (): readonly RowChange[] | undefined => relation.log.unseenRows(snapshot);
    return new ListKeys(kept, { total: relation.log.total(snapshot), unseen });
  }

  async beginIndex(order: FollowedOrder): Promise<boolean> {
    const { relation } = this.#parts;
    const filter = this.#filterOf(order.condition);
    const total = await this.total(order.condition);
    const listed = filter && listedOrder(relation, order, filter);
    if (filter === undefined || total === undefined || listed === undefined) return false;
    const { filtered, read } = (listed.filter && this.#asking) ?? {};
    if (listed.filter !== undefined && filtered === undefined) return false;
    if (read !== undefined) await filtered?.begin(read);
    const touched = filtered?.touchedOf(relation, listed);
    this.#parts.ordered.begin(order, { ...listed, relation, touched }, { filter, total });
    return true;
  }

  async #asked(kept: FollowedList, filter: RowFilter): Promise<ListRead> {
    if (this.#asking === undefined) return UNKNOWN;
    const { filtered, read } = this.#asking;
    // While it is compared with its base, it may move to the next.
    const moved = kept.list.movesFromNow();
    const seen = await filtered.seen(read, filter, kept);
    if (seen === undefined) return UNKNOWN;
    const isAll = isLogged(this.#parts.relation, filter);
    const total = isAll ? await this.total() : this.#note(filter, seen);
    const unseen = movedRows({ before: seen.now, now: seen.before });
    const ask: AskRow = (statement) => read.ask({ ...statement, named: true });
    await kept.placing?.place(unseen, ask);
    return { total, unseen: () => [...unseen, ...moved()], ask };
  }

  #note({ name }: RowFilter, seen: SeenList | undefined): bigint | undefined {
    if (seen?.total !== undefined) this.#totals.set(name, seen.total);
    return seen?.total;
  }

  #filterOf(condition: Condition | undefined): RowFilter | undefined {
    return condition === undefined ? ALL_ROWS : this.#parts.filtered?.filterOf(condition);
  }
}

const UNKNOWN: ListRead = { total: undefined, unseen: () => undefined };

export interface ListRead {
  readonly total: bigint | undefined;
  /** What the kept list has now beyond the snapshot; undefined where unknown. */
  unseen(): readonly RowChange[] | undefined;
  /** Asks in the snapshot, for lists that the database sorts. */
  readonly ask?: AskRow | undefined;
}

/** A followed list in a running read's snapshot. Keys have a value for each term of the order. */
export class ListKeys implements FollowedIndex {
  readonly #kept: FollowedList;
  readonly #read: ListRead;
  #wanted: KeyRead | undefined;

  constructor(kept: FollowedList, read: ListRead) {
    this.#kept = kept;
    this.#read = read;
  }

  get isComplete(): boolean {
    return this.#kept.list.isComplete;
  }

  get isBroken(): boolean {
    return this.#kept.list.isBroken;
  }

  locate(range: PageRange): RowPlace | undefined {
    const unseen = this.#checkedUnseen();
    const place = unseen && this.#kept.list.locate(range, unseen);
    return place && { ...place, from: this.#values(place.from) };
  }

  checkpoints(): Checkpoints | undefined {
    const unseen = this.#checkedUnseen();
    const placed = unseen && this.#kept.list.placed(unseen);
    if (placed === undefined) return undefined;
    const { buckets, rowsBefore } = placed;
    return {
      // The first bucket has rows before its key too.
      length: Math.max(0, buckets.length - 1),
      keyAt: (index) => this.#values(buckets[index + 1]?.texts) ?? [],
      rowsBefore: (index) => BigInt(rowsBefore[index + 1] ?? 0),
    };
  }

  wants(): WantedKeys | undefined {
    const unseen = this.#unseen();
    this.#wanted = unseen && this.#kept.list.nextRead(unseen);
    if (this.#wanted === undefined) return undefined;
    const { from, part, rows } = this.#wanted;
    return { from: this.#values(from), part, rows, step: this.#kept.step };
  }

  async learn({ rows }: KeyRows): Promise<boolean> {
    const { list, placing, columns, places } = this.#kept;
    const [wanted, unseen] = [this.#wanted, this.#read.unseen()];
    if (wanted === undefined || unseen === undefined || list.isBroken) return false;
    const keys = rows.map((row): PlacedKey => {
      const texts = columns.map((_column, place) => {
        const text = row[places.indexOf(place)];
        return typeof text === 'string' ? text : null;
      });
      return { texts, place: Number(row.at(-1)) };
    });
    const { ask } = this.#read;
    if (placing !== undefined)
      return ask !== undefined && placing.learn(wanted, keys, { ...this.#read, ask });
    list.learn(wanted, keys, unseen);
    return true;
  }

  /** As `#unseen`. If the sum of the buckets differs from the total, the list is forgotten. */
  #checkedUnseen(): readonly RowChange[] | undefined {
    const { list } = this.#kept;
    const unseen = this.#unseen();
    if (unseen === undefined) return undefined;
    const total = list.total(unseen);
    const known = this.#read.total;
    // Both began with their own counts and saw the same changes, so they must be equal.
    if (total !== undefined && known !== undefined && total !== known) list.forget();
    return unseen;
  }

  #unseen(): readonly RowChange[] | undefined {
    const { placing } = this.#kept;
    const unseen = this.#read.unseen();
    return unseen && placing?.knows(unseen) !== false ? unseen : undefined;
  }

  /** For the order's terms, which may name a column twice. */
  #values(texts: KeyTexts | undefined): (string | null)[] | undefined {
    return texts && this.#kept.places.map((place) => texts[place] ?? null);
  }
}
