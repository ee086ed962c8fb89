import type { TransactionSnapshot } from '../../log/snapshot.ts';

/** A read of a relation, from before its snapshot is taken until it is done. */
export interface RunningRead {
  /** Its place among all reads. */
  readonly number: number;
}

/** A snapshot, whose transactions are all seen by every read that begins after it was taken. */
interface Candidate {
  readonly snapshot: TransactionSnapshot;
  /** How many reads had begun when it was taken. */
  readonly begun: number;
}

/**
 * Finds snapshots up to which changes can be folded. Reads that begin after a snapshot was taken
 * see all that it sees. So once the reads that were running at that moment have ended, every
 * running and every later read sees it in full.
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

  /** Notes a snapshot that a read has taken, unless an earlier one still waits for reads to end. */
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
