import { setTimeout as sleep } from 'node:timers/promises';

import type { RelationLog } from '../changes/relation-log.ts';
import type { Lsn } from '../../log/lsn.ts';
import { BaseSnapshot, type SnapshotHolder } from './base-snapshot.ts';

/** One snapshot is held, and another one while lists move on to it. */
const MOST_HOLDERS = 2;

/**
 * How often the feed may be late for a new snapshot before that is given up, and the pauses between
 * in milliseconds.
 */
const MOST_WAITS = 20;
const WAIT_MS = 20;

/** What a base is made of. */
export interface BaseParts {
  /** Opens a connection that can hold a snapshot. */
  open(): Promise<SnapshotHolder>;
  /** Waits until the changes were followed up to a position; false where that takes too long. */
  reach(insertLsn: Lsn): Promise<boolean>;
  /** The logs of the relations that are followed at the moment. */
  logs(): readonly RelationLog[];
  /** Moves what was found in one snapshot, if any, on to the next. */
  move(next: BaseSnapshot): Promise<void>;
}

/** The snapshot of which it is known what lists have in it: one for all lists of a server. */
export class Base {
  readonly #parts: BaseParts;
  readonly #free: SnapshotHolder[] = [];
  #opened = 0;
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

  /** Resolves when no other snapshot is being taken, or the one that is has been. */
  get settled(): Promise<unknown> {
    return Promise.allSettled([this.#renewing]);
  }

  /** Takes another snapshot, and moves the lists on to it. Returns whether there is one. */
  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Lets the snapshot go. What was known in it is of no use any longer. */
  drop(): void {
    const last = this.#current;
    this.#current = undefined;
    if (last !== undefined) void this.#release(last);
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

  /** A snapshot whose changes were followed; undefined where there is none. */
  async #take(): Promise<BaseSnapshot | undefined> {
    const holder = await this.#acquire();
    if (holder === undefined) return undefined;
    const taken = await this.#export(holder);
    for (let waits = 0; waits < MOST_WAITS; waits++) {
      if (await this.#parts.reach(taken.insertLsn)) return taken.noteFollowed();
      await sleep(WAIT_MS);
    }
    await this.#release(taken);
    return undefined;
  }

  async #acquire(): Promise<SnapshotHolder | undefined> {
    const free = this.#free.pop();
    if (free !== undefined || this.#opened === MOST_HOLDERS) return free;
    this.#opened += 1;
    return this.#parts.open().catch((error: unknown) => this.#giveUp(error));
  }

  async #export(holder: SnapshotHolder): Promise<BaseSnapshot> {
    try {
      return await BaseSnapshot.take(holder, this.#parts.logs());
    } catch (error) {
      holder.destroy();
      return this.#giveUp(error);
    }
  }

  /** Another connection may be opened in place of one that failed. */
  #giveUp(error: unknown): never {
    this.#opened -= 1;
    throw error;
  }

  async #release(snapshot: BaseSnapshot): Promise<void> {
    this.#free.push(await snapshot.release());
  }
}
