import { setTimeout as sleep } from 'node:timers/promises';

import type { Statement } from '@proj/engine/database';

import type { RelationLog } from '../changes/relation-log.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';
import type { Row } from '../../connection/connection.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';

export interface SnapshotHolder {
  ask(statement: Statement): Promise<Row>;
  readonly ended: Promise<unknown>;
  destroy(): void;
}

const BEGIN = plain('begin isolation level repeatable read read only');
const COMMIT = plain('commit');

/** It reads no table, so it locks none until its end. */
const EXPORT = plain(
  'select pg_export_snapshot(), pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text',
);

/** A snapshot held open for others to import. Like a running read, it keeps changes in logs. */
export class BaseSnapshot {
  /** The name for `set transaction snapshot`. */
  readonly exported: string;
  readonly snapshot: TransactionSnapshot;
  /** Every commit that it sees is in the log before this position. */
  readonly insertLsn: Lsn;
  /** Taken after this moment of `performance.now()`, */
  readonly takenAt: number;
  /** and before this one. */
  readonly takenBy = performance.now();
  readonly #holder: SnapshotHolder;
  /** How reads end that its relations' logs take it for. */
  readonly #ends: ReadonlyMap<RelationLog, () => void>;
  /** The tokens of relations whose followed schema it sees. */
  readonly proven = new Set<string>();
  readonly #asked = new Set<Promise<unknown>>();
  #isLost = false;

  private constructor(
    holder: SnapshotHolder,
    ends: ReadonlyMap<RelationLog, () => void>,
    { row, takenAt }: { readonly row: Row; readonly takenAt: number },
  ) {
    const [exported, snapshot, lsn] = row;
    this.#holder = holder;
    this.#ends = ends;
    this.exported = exported ?? '';
    this.snapshot = TransactionSnapshot.parse(snapshot ?? '');
    this.insertLsn = parseLsn(lsn ?? '');
    this.takenAt = takenAt;
    void holder.ended.finally(() => {
      this.#isLost = true;
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** @param logs of the relations that it may be asked about */
  static async take(holder: SnapshotHolder, logs: readonly RelationLog[]): Promise<BaseSnapshot> {
    const ends = new Map(logs.map((log) => [log, log.beginRead()]));
    const takenAt = performance.now();
    try {
      const [, row] = await Promise.all([holder.ask(BEGIN), holder.ask(EXPORT)]);
      return new BaseSnapshot(holder, ends, { row, takenAt });
    } catch (error) {
      for (const end of ends.values()) end();
      holder.destroy();
      throw error;
    }
  }

  covers(log: RelationLog): boolean {
    return this.#ends.has(log);
  }

  /** Once changes up to here are followed and it is released, they can be folded. */
  noteFollowed(): this {
    for (const log of this.#ends.keys()) log.noteSnapshot(this.snapshot);
    return this;
  }

  async use<Value>(ask: () => Promise<Value>): Promise<Value> {
    const asked = ask();
    this.#asked.add(asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(asked);
    }
  }

  /** Ends it when nobody asks in it. Resolves to the holder, which is free then. */
  async release(): Promise<SnapshotHolder> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
    for (const end of this.#ends.values()) end();
    // The connection answers in order. If it is lost, so is the snapshot.
    this.#holder.ask(COMMIT).catch(() => undefined);
    return this.#holder;
  }
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}

/** How often the feed may be late for a new snapshot, with pauses in milliseconds. */
const MOST_WAITS = 20;
const WAIT_MS = 20;

export interface BaseParts {
  open(): Promise<SnapshotHolder>;
  /** Waits until changes up to a position were followed; false if that takes too long. */
  reach(insertLsn: Lsn): Promise<boolean>;
  logs(): readonly RelationLog[];
  /** Moves what was found in one snapshot, if any, to the next. */
  move(next: BaseSnapshot): Promise<void>;
}

/** The snapshot in which lists are known: one for all lists of a server. */
export class Base {
  readonly #parts: BaseParts;
  /** One snapshot is held, and another while lists move to it. */
  readonly #free: SnapshotHolder[] = [];
  #releasing: Promise<void> | undefined;
  #current: BaseSnapshot | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(parts: BaseParts) {
    this.#parts = parts;
  }

  get current(): BaseSnapshot | undefined {
    return this.#current;
  }

  get isRenewing(): boolean {
    return this.#renewing !== undefined;
  }

  get settled(): Promise<unknown> {
    return Promise.allSettled([this.#renewing]);
  }

  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  drop(): void {
    const last = this.#current;
    this.#current = undefined;
    if (last !== undefined) this.#releasing = this.#release(last);
  }

  async #renew(): Promise<boolean> {
    const next = await this.#take();
    if (next === undefined) return false;
    const last = this.#current;
    this.#current = next;
    await this.#parts.move(next);
    if (last !== undefined) await this.#release(last);
    return true;
  }

  /** Undefined where there is no snapshot whose changes were followed. */
  async #take(): Promise<BaseSnapshot | undefined> {
    await this.#releasing;
    const holder = this.#free.pop() ?? (await this.#parts.open());
    const taken = await BaseSnapshot.take(holder, this.#parts.logs());
    for (let waits = 0; waits < MOST_WAITS; waits++) {
      if (await this.#parts.reach(taken.insertLsn)) return taken.noteFollowed();
      await sleep(WAIT_MS);
    }
    await this.#release(taken);
    return undefined;
  }

  async #release(snapshot: BaseSnapshot): Promise<void> {
    this.#free.push(await snapshot.release());
  }
}
