import type { TransactionSnapshot } from '../../log/snapshot.ts';

export interface RunningRead {
  readonly number: number;
}

/** Every read that begins after the snapshot sees all that it sees. */
interface Candidate {
  readonly snapshot: TransactionSnapshot;
  readonly begun: number;
}

/** Finds snapshots that all running and later reads see, so that their changes can be folded. */
export class RunningReads {
  readonly #running = new Set<RunningRead>();
  #begun = 0;
  #candidate: Candidate | undefined;

  begin(): RunningRead {
    const read = { number: this.#begun };
    this.#begun += 1;
    this.#running.add(read);
    return read;
  }

  /** Ignored while an earlier snapshot waits for reads to end. */
  note(snapshot: TransactionSnapshot): void {
    this.#candidate ??= { snapshot, begun: this.#begun };
  }

  /** Returns a snapshot that from now on every read sees in full, if there is one. */
  end(read: RunningRead): TransactionSnapshot | undefined {
    this.#running.delete(read);
    const [oldest] = this.#running;
    const candidate = this.#candidate;
    if (candidate === undefined || (oldest?.number ?? Infinity) < candidate.begun) return undefined;
    this.#candidate = undefined;
    return candidate.snapshot;
  }
}
