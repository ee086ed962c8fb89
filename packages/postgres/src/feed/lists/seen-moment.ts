import type {
  Condition,
  CountOutcome,
  FollowedIndex,
  FollowedOrder,
  RelationMoment,
} from '@proj/engine/following';

import type { SessionStatement } from '../../connection/session.ts';
import type { AskRow, Row } from '../../connection/connection.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import type { LockedRead, SeenList } from './base-reads.ts';
import type { FilteredLists } from './filtered-lists.ts';
import { movedRows } from './filtered-totals.ts';
import { ListKeys, type ListRead } from './list-keys.ts';
import { isLogged, listedOrder, type ListedRelation } from './listed-order.ts';
import type { FollowedList, OrderedLists } from './ordered-lists.ts';
import { quoted } from '../../values/sql-text.ts';
import { ALL_ROWS, type RowFilter } from './row-filter.ts';

interface SeenMomentParts {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly version: string;
  readonly ordered: OrderedLists;
  /** Undefined where only lists of all rows by key are followed. */
  readonly filtered: FilteredLists | undefined;
  /** Asks in the snapshot; undefined once its transaction has ended. */
  readonly ask: ((statement: SessionStatement) => Promise<Row>) | undefined;
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
    leastMs: number,
  ): Promise<readonly (CountOutcome | undefined)[]> {
    const [first] = conditions;
    if (isLogged(this.#parts.relation, { condition: first })) return [await this.#countAll()];
    if (this.#asking === undefined) return conditions.map(() => 'refused');
    const { filtered, read } = this.#asking;
    const filters = conditions.map((condition) => filtered.filterOf(condition));
    return filtered.count(read, filters, leastMs);
  }

  async #countAll(): Promise<CountOutcome> {
    const { log, path } = this.#parts.relation;
    const snapshot = this.#parts.snapshot;
    if (log.total(snapshot) === undefined && log.canLearnTotal(snapshot)) {
      const sql = `select count(*)::text from ${path.map(quoted).join('.')}`;
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
    return new ListKeys(
      kept,
      await (kept.filter ? this.#asked(kept, kept.filter) : this.#logged()),
    );
  }

  async beginIndex(order: FollowedOrder): Promise<boolean> {
    const filter = this.#filterOf(order.condition);
    const total = await this.total(order.condition);
    const listed = filter && listedOrder(this.#parts.relation, order, filter);
    if (filter === undefined || total === undefined || listed === undefined) return false;
    const relation = this.#parts.relation;
    const { filtered, read } = (listed.filter && this.#asking) ?? {};
    if (listed.filter !== undefined && filtered === undefined) return false;
    if (read !== undefined) await filtered?.begin(read);
    const touched = filtered?.touchedOf(relation, listed);
    this.#parts.ordered.begin(order, { ...listed, relation, touched }, { filter, total });
    return true;
  }

  #logged(): ListRead {
    const { log } = this.#parts.relation;
    const snapshot = this.#parts.snapshot;
    return { total: log.total(snapshot), unseen: () => log.unseenRows(snapshot) };
  }

  async #asked(kept: FollowedList, filter: RowFilter): Promise<ListRead> {
    if (this.#asking === undefined) return UNKNOWN;
    const { filtered, read } = this.#asking;
    const seen = await filtered.seen(read, filter, kept);
    if (seen === undefined) return UNKNOWN;
    const isAll = isLogged(this.#parts.relation, filter);
    const total = isAll ? await this.total() : this.#note(filter, seen);
    const unseen = movedRows({ before: seen.now, now: seen.before });
    const ask: AskRow = (statement) => read.ask({ ...statement, named: true });
    await kept.placing?.place(unseen, ask);
    const isKnown = (): boolean => filtered.isKnownIn(this.#parts.relation, seen.base);
    return {
      total,
      unseen: () => (isKnown() ? unseen : undefined),
      again: () => this.#asked(kept, filter),
      ask,
    };
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
