import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@proj/test-servers';

/** A table to which one writer adds records by number: whoever sees n of them sees the first n. */
export const LEDGER = 'create table ledger (id int primary key, word varchar(9) not null)';

/** A time without commits, by its moments. */
export interface Pause {
  readonly from: number;
  readonly until: number;
}

/** The records that one writer adds, and when each of them was known to be committed. */
export class Ledger {
  readonly #committedAt: number[] = [];
  readonly #add: (id: number) => Promise<void>;

  /** @param add adds a record, unless it is there already */
  constructor(add: (id: number) => Promise<void>) {
    this.#add = add;
  }

  /** How many records were committed. */
  get length(): number {
    return this.#committedAt.length;
  }

  /** How many records everybody could see at a moment of `performance.now()`. */
  lengthAt(moment: number): number {
    return this.#committedAt.findLastIndex((at) => at <= moment) + 1;
  }

  /** The longest time without a commit since a moment. */
  longestPause(since: number): Pause {
    const moments = [since, ...this.#committedAt.filter((at) => at > since)];
    const pauses = moments.map((from, index) => ({ from, until: moments[index + 1] ?? from }));
    const lengthOf = (pause: Pause): number => pause.until - pause.from;
    return pauses.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
  }

  /** Adds the next record, however often that has to be tried. */
  async add(signal = new AbortController().signal): Promise<void> {
    const attempt = (): Promise<boolean> =>
      this.#add(this.length + 1).then(
        () => this.#committedAt.push(performance.now()) > 0,
        () => signal.aborted,
      );
    await until(async () => signal.aborted || attempt(), Infinity);
  }

  /** Adds records one after the other until the signal aborts. */
  async addUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.add(signal);
      // The pace of a writer is the load.
      await sleep(Math.random() * 10);
    }
  }
}
