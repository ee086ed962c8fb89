import type { Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import type { RelationLog } from '../changes/relation-log.ts';
import type { RunningRead } from '../changes/running-reads.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';

/** The connection whose transaction holds a snapshot. */
export interface SnapshotHolder {
  ask(statement: Statement): Promise<Row>;
  /** Resolves when the connection is lost. */
  readonly ended: Promise<unknown>;
  destroy(): void;
}

const BEGIN = plain('begin isolation level repeatable read read only');
const COMMIT = plain('commit');

/** It reads no table, so that it locks none until its end. */
const EXPORT = plain(
  'select pg_export_snapshot(), pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text',
);

/**
 * A snapshot that a transaction holds open, so that others can be asked for what it sees. Like a
 * running read it keeps changes in the logs of relations.
 */
export class BaseSnapshot {
  /** The name under which transactions import it. */
  readonly exported: string;
  readonly snapshot: TransactionSnapshot;
  /** Every commit that it sees is in the log before this position. */
  readonly insertLsn: Lsn;
  /** It was taken after this moment of `performance.now()`, */
  readonly takenAt: number;
  /** and before this one. */
  readonly takenBy = performance.now();
  readonly #holder: SnapshotHolder;
  readonly #reads: ReadonlyMap<RelationLog, RunningRead>;
  /** The tokens of the relations whose schema it sees as it is followed. */
  readonly #proven = new Set<string>();
  readonly #ended = Promise.withResolvers<SnapshotHolder>();
  #users = 0;
  #state: 'held' | 'ending' | 'ended' = 'held';

  /** Whether it is gone with its connection. */
  #isLost = false;

  private constructor(
    holder: SnapshotHolder,
    reads: ReadonlyMap<RelationLog, RunningRead>,
    { row, takenAt }: { readonly row: Row; readonly takenAt: number },
  ) {
    const [exported, snapshot, lsn] = row;
    this.#holder = holder;
    this.#reads = reads;
    this.exported = exported ?? '';
    this.snapshot = TransactionSnapshot.parse(snapshot ?? '');
    this.insertLsn = parseLsn(lsn ?? '');
    this.takenAt = takenAt;
    void this.#noteLoss();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** @param logs of the relations that it may be asked about */
  static async take(holder: SnapshotHolder, logs: readonly RelationLog[]): Promise<BaseSnapshot> {
    const reads = new Map(logs.map((log) => [log, log.beginRead()]));
    const takenAt = performance.now();
    try {
      const [, row] = await Promise.all([holder.ask(BEGIN), holder.ask(EXPORT)]);
      return new BaseSnapshot(holder, reads, { row, takenAt });
    } catch (error) {
      endAll(reads);
      throw error;
    }
  }

  /** Whether the log keeps what it does not see. */
  covers(log: RelationLog): boolean {
    return this.#reads.has(log);
  }

  /** Notes that the changes were followed up to it: once it is let go, they can be folded. */
  noteFollowed(): this {
    for (const log of this.#reads.keys()) log.noteSnapshot(this.snapshot);
    return this;
  }

  isProven(token: string): boolean {
    return this.#proven.has(token);
  }

  noteProven(token: string): void {
    this.#proven.add(token);
  }

  /** Keeps it while something is asked in it. */
  async use<Value>(ask: () => Promise<Value>): Promise<Value> {
    this.#users += 1;
    try {
      return await ask();
    } finally {
      this.#users -= 1;
      this.#endIfUnused();
    }
  }

  /** Lets it go as soon as nobody asks in it. Resolves with the holder, which is free then. */
  release(): Promise<SnapshotHolder> {
    if (this.#state === 'held') this.#state = 'ending';
    this.#endIfUnused();
    return this.#ended.promise;
  }

  async #noteLoss(): Promise<void> {
    await this.#holder.ended;
    this.#isLost = true;
  }

  #endIfUnused(): void {
    if (this.#users > 0 || this.#state !== 'ending') return;
    this.#state = 'ended';
    endAll(this.#reads);
    this.#ended.resolve(this.#holder);
    // The connection answers in order. If it is lost, so is the snapshot.
    this.#holder.ask(COMMIT).catch(() => undefined);
  }
}

function endAll(reads: ReadonlyMap<RelationLog, RunningRead>): void {
  for (const [log, read] of reads) log.endRead(read);
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}
