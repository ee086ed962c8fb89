import type { Condition } from '../../../../planning/condition.ts';
import type { FollowedOrder, FollowedIndex } from '../../../followed.ts';
import type { RelationMoment } from '../../../source.ts';
import { ListKeys } from './list-keys.ts';
import type { ListedRelation } from './listed-order.ts';
import type { OrderedLists } from './ordered-lists.ts';
import type { CountedLists } from './counted-lists.ts';
import type { RowLog } from '../changes/row-log.ts';
import type { TransactionSnapshot } from '../changes/snapshot.ts';

interface SeenMomentParts {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly version: string;
  readonly lists: OrderedLists;
  readonly totals: CountedLists;
}

/** What is known of a relation as a running read sees it, all of whose changes were followed. */
export class SeenMoment implements RelationMoment {
  readonly version: string;
  readonly #relation: ListedRelation;
  readonly #snapshot: TransactionSnapshot;
  readonly #lists: OrderedLists;
  readonly #totals: CountedLists;

  constructor({ relation, snapshot, version, lists, totals }: SeenMomentParts) {
    this.version = version;
    this.#relation = relation;
    this.#snapshot = snapshot;
    this.#lists = lists;
    this.#totals = totals;
  }

  async total(condition?: Condition): Promise<bigint | undefined> {
    return this.#logOf(condition)?.total(this.#snapshot);
  }

  async beginTotal(condition: Condition): Promise<boolean> {
    return this.#totals.begin(this.#relation, condition);
  }

  wantsTotal(): boolean {
    const { log } = this.#relation;
    return log.total(this.#snapshot) === undefined && log.canLearnTotal(this.#snapshot);
  }

  async learnTotal(total: bigint, condition?: Condition): Promise<boolean> {
    return this.#logOf(condition)?.learnTotal(this.#snapshot, total) ?? false;
  }

  async index(order: FollowedOrder): Promise<FollowedIndex | undefined> {
    const kept = this.#lists.get(this.#relation, order);
    if (kept === undefined) return undefined;
    const read = { snapshot: this.#snapshot, total: await this.total(order.condition) };
    return new ListKeys(kept, read);
  }

  async beginIndex(order: FollowedOrder): Promise<boolean> {
    const total = await this.total(order.condition);
    return total !== undefined && this.#lists.begin(this.#relation, order, total);
  }

  /** The changes of the rows that meet a condition; undefined where they are not followed. */
  #logOf(condition: Condition | undefined): RowLog | undefined {
    if (condition === undefined) return this.#relation.log;
    return this.#totals.get(this.#relation, condition);
  }
}
