import type { FollowedOrder, MaintainedIndex } from '../../followed.ts';
import type { RelationMoment } from '../../source.ts';
import { MaintainedKeys } from './maintained-keys.ts';
import type { ListedRelation, MaintainedLists } from './maintained-lists.ts';
import type { RelationLog } from './relation-log.ts';
import type { TransactionSnapshot } from './snapshot.ts';

interface SeenMomentParts {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly version: string;
  readonly lists: MaintainedLists;
}

/** What is known of a relation as a running read sees it, all of whose changes were followed. */
export class SeenMoment implements RelationMoment {
  readonly version: string;
  readonly #relation: ListedRelation;
  readonly #snapshot: TransactionSnapshot;
  readonly #lists: MaintainedLists;

  constructor({ relation, snapshot, version, lists }: SeenMomentParts) {
    this.version = version;
    this.#relation = relation;
    this.#snapshot = snapshot;
    this.#lists = lists;
  }

  get wantsTotal(): boolean {
    return this.total() === undefined && this.#log.learnsTotal(this.#snapshot);
  }

  total(): bigint | undefined {
    return this.#log.total(this.#snapshot);
  }

  learnTotal(total: bigint): boolean {
    return this.#log.learnTotal(this.#snapshot, total);
  }

  index(order: FollowedOrder): MaintainedIndex | undefined {
    const kept = this.#lists.get(this.#relation, order);
    return kept && new MaintainedKeys(kept, this.#relation, this.#snapshot);
  }

  beginIndex(order: FollowedOrder): boolean {
    const total = this.total();
    return total !== undefined && this.#lists.begin(this.#relation, order, total);
  }

  get #log(): RelationLog {
    return this.#relation.log;
  }
}
