import type { TransactionSnapshot } from './snapshot.ts';

/** A read of a relation, from before its snapshot is taken until it is done. */
export interface RunningRead {
  /** Its place among all reads. */
  readonly number: number;
}

/** A snapshot that every read sees in full but those that began before it was taken. */
interface Candidate {
  readonly snapshot: TransactionSnapshot;
  /** How many reads had begun when it was there. */
  readonly begun: number;
}

/**
 * The reads of a relation that are running, and a snapshot that all of them see in full, as do all
 * that come: once the reads have ended that were running when it was taken.
 */
export class RunningReads {
  /** In the order in which they began. */
  readonly #running = new Set<RunningRead>();
  #begun = 0;
  #candidate: Candidate | undefined;

  /** Begins a read, which takes its snapshot afterwards. */
  begin(): RunningRead {
    const read = { number: this.#begun };
    this.#begun += 1;
    this.#running.add(read);
    return read;
  }

  /** Notes a snapshot that a read has taken. */
  note(snapshot: TransactionSnapshot): void {
    this.#candidate ??= { snapshot, begun: this.#begun };
  }

  /** Ends a read. Returns a snapshot if from now on every read sees all of it. */
  end(read: RunningRead): TransactionSnapshot | undefined {
    this.#running.delete(read);
    const [oldest] = this.#running;
    const candidate = this.#candidate;
    if (candidate === undefined || (oldest?.number ?? Infinity) < candidate.begun) return undefined;
    this.#candidate = undefined;
    return candidate.snapshot;
  }
}
