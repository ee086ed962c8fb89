import type { Condition } from '../../../../planning/condition.ts';
import type { FollowedOrder, FollowedIndex } from '../../../followed.ts';
import type { RelationMoment } from '../../../source.ts';
import type { TransactionSnapshot } from '../changes/snapshot.ts';
import { ListKeys } from './list-keys.ts';
import { listedOrder, type ListedRelation } from './listed-order.ts';
import type { OrderedLists } from './ordered-lists.ts';
import { ALL_ROWS } from './row-filter.ts';

interface SeenMomentParts {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly version: string;
  readonly ordered: OrderedLists;
}

/** What is known of a relation as a running read sees it, all of whose changes were followed. */
export class SeenMoment implements RelationMoment {
  readonly version: string;
  readonly #relation: ListedRelation;
  readonly #snapshot: TransactionSnapshot;
  readonly #ordered: OrderedLists;

  constructor({ relation, snapshot, version, ordered }: SeenMomentParts) {
    this.version = version;
    this.#relation = relation;
    this.#snapshot = snapshot;
    this.#ordered = ordered;
  }

  async total(condition?: Condition): Promise<bigint | undefined> {
    return condition === undefined ? this.#relation.log.total(this.#snapshot) : undefined;
  }

  async beginTotal(_condition: Condition): Promise<boolean> {
    return false;
  }

  wantsTotal(): boolean {
    const { log } = this.#relation;
    return log.total(this.#snapshot) === undefined && log.canLearnTotal(this.#snapshot);
  }

  async learnTotal(total: bigint, condition?: Condition): Promise<boolean> {
    return condition === undefined && this.#relation.log.learnTotal(this.#snapshot, total);
  }

  async index(order: FollowedOrder): Promise<FollowedIndex | undefined> {
    if (order.condition !== undefined) return undefined;
    const kept = this.#ordered.get(this.#relation, order, ALL_ROWS);
    if (kept === undefined) return undefined;
    const { log } = this.#relation;
    const unseen = (): ReturnType<typeof log.unseenRows> => log.unseenRows(this.#snapshot);
    return new ListKeys(kept, { total: log.total(this.#snapshot), unseen });
  }

  async beginIndex(order: FollowedOrder): Promise<boolean> {
    const total = await this.total(order.condition);
    if (total === undefined) return false;
    const listed = listedOrder(this.#relation, order, ALL_ROWS);
    if (listed === undefined || listed.filter !== undefined) return false;
    this.#ordered.begin(
      order,
      { ...listed, relation: this.#relation },
      { filter: ALL_ROWS, total },
    );
    return true;
  }
}
