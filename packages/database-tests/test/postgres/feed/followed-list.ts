import { until } from '@proj/test-servers';

import { type CheckedReading, follow, type ListQuestion } from './checked-reading.ts';
import type { Followed } from './followed.ts';

export type ListFacts = Omit<ListQuestion, 'size' | 'offset'>;

/** A list whose total is followed, and what is done to it. */
export class FollowedList {
  readonly reading: CheckedReading;
  readonly #followed: Followed;
  readonly #list: ListFacts;

  constructor(followed: Followed, reading: CheckedReading, list: ListFacts) {
    this.#followed = followed;
    this.reading = reading;
    this.#list = list;
  }

  /** Another list, over the same source. */
  like(list: ListFacts): FollowedList {
    return new FollowedList(this.#followed, this.reading, list);
  }

  get recounts(): number {
    return this.#followed.source.changes?.followed?.feed.status.recounts ?? 0;
  }

  /** How many rows may differ from the base snapshot. */
  get rows(): number {
    return this.#followed.source.changes?.followed?.feed.status.snapshotRows ?? 0;
  }

  async write(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#followed.sql.query(statement);
  }

  async read(): Promise<bigint> {
    return (await this.reading.read({ ...this.#list, offset: 0, size: 10 })).total;
  }

  /** Reads until the total is followed. */
  async follow(): Promise<void> {
    await follow(this.reading, { ...this.#list, offset: 0, size: 10 }, 'followed_total');
  }

  /** Whether the followed total is another one than that of a count in the same snapshot. */
  async isWrong(): Promise<boolean> {
    let totals: Awaited<ReturnType<CheckedReading['totals']>>;
    await until(async () => {
      totals = await this.reading.totals(this.#list);
      // The list is to be counted again; otherwise the changes were late.
      if (totals !== undefined && totals.known === undefined) await this.read();
      return totals?.known !== undefined;
    });
    return totals?.known !== totals?.counted;
  }
}
