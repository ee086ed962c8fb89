import type { KeyRows, MaintainedIndex, SeekPlace, WantedKeys } from '../../followed.ts';
import type { KeyTexts, RowChange } from './changes.ts';
import type { KeyRead, PlacedKey } from './maintained-list.ts';
import type { KeptList, ListedRelation } from './maintained-lists.ts';
import type { TransactionSnapshot } from './snapshot.ts';

/** A maintained list as a running read sees it, by the terms of its order. */
export class MaintainedKeys implements MaintainedIndex {
  readonly #kept: KeptList;
  readonly #relation: ListedRelation;
  readonly #snapshot: TransactionSnapshot;
  #wanted: KeyRead | undefined;

  constructor(kept: KeptList, relation: ListedRelation, snapshot: TransactionSnapshot) {
    this.#kept = kept;
    this.#relation = relation;
    this.#snapshot = snapshot;
  }

  get isComplete(): boolean {
    return this.#kept.list.isComplete;
  }

  locate(offset: bigint): SeekPlace | undefined {
    const { list } = this.#kept;
    const unseen = this.#unseen();
    if (unseen === undefined) return undefined;
    const total = list.total(unseen);
    const known = this.#relation.log.total(this.#snapshot);
    // Both follow the same changes from counts of their own.
    if (total !== undefined && known !== undefined && total !== known) list.forget();
    const place = list.locate(offset, unseen);
    return place && { from: this.#values(place.from), skip: place.skip };
  }

  wants(): WantedKeys | undefined {
    const unseen = this.#unseen();
    this.#wanted = unseen && this.#kept.list.nextRead(unseen);
    if (this.#wanted === undefined) return undefined;
    const { from, rows } = this.#wanted;
    return { from: this.#values(from), rows, step: this.#kept.step };
  }

  learn({ rows }: KeyRows): void {
    const unseen = this.#unseen();
    if (this.#wanted === undefined || unseen === undefined) return;
    const keys = rows.map((row) => this.#placedKey(row));
    this.#kept.list.learn(this.#wanted, keys, unseen);
  }

  #unseen(): readonly RowChange[] | undefined {
    return this.#relation.log.unseenRows(this.#snapshot);
  }

  /** A column that an order has again says nothing, and its keys have it once. */
  #values(texts: KeyTexts | undefined): string[] | undefined {
    return texts && this.#kept.places.map((place) => texts[place] ?? '');
  }

  #placedKey(row: readonly unknown[]): PlacedKey {
    const { places } = this.#kept;
    const texts = this.#relation.key.map((_column, place) => String(row[places.indexOf(place)]));
    return { texts, place: Number(row.at(-1)) };
  }
}
