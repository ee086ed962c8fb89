import type { Lsn } from '../../log/lsn.ts';

/** How long reads wait for the log. */
export interface WaitLimits {
  /** After so many milliseconds the server is made to write out its log. */
  readonly nudgeMs: number;
  /** After so many milliseconds a read goes on without the log. */
  readonly giveUpMs: number;
  /** A read does not wait where the log is behind its position by more bytes than this. */
  readonly farBytes: bigint;
}

const WAIT_LIMITS: WaitLimits = { nudgeMs: 2, giveUpMs: 20, farBytes: 8n * 2n ** 20n };

/** Makes the server flush its log; resolves with a position up to which it is flushed. */
export type Nudge = () => Promise<Lsn>;

/** What waits were like. */
export interface WaitCounters {
  waits: number;
  /** Waits that were given up. */
  lateWaits: number;
  /** How long they took together, in milliseconds. */
  waitMs: number;
  nudges: number;
}

interface WaitParts {
  readonly nudge: Nudge;
  readonly counters: WaitCounters;
  readonly limits?: WaitLimits;
}

interface Waiter {
  readonly position: Lsn;
  readonly since: number;
  readonly resolve: (reached: boolean) => void;
  /** Whether it has waited for `nudgeMs`, so that the server is made to flush its log. */
  isDue: boolean;
  readonly timers: NodeJS.Timeout[];
}

/**
 * How far the feed has read the change log, and the reads that wait for it.
 *
 * A server sends only flushed log. To get the log of transactions that are open, or that commit
 * without waiting for the flush, the feed makes a commit of its own (a nudge), at most one at a
 * time for all reads that wait.
 */
export class FeedPosition {
  readonly #nudge: Nudge;
  readonly #limits: WaitLimits;
  readonly #counters: WaitCounters;
  readonly #waiting = new Set<Waiter>();
  #reached: Lsn;
  /** What the last nudge has flushed. */
  #nudgedTo: Lsn = 0n;
  #isNudging = false;
  /** The latest position for which a read has given up waiting. */
  #late: Lsn = 0n;
  /** Since when the log has been late. */
  #lateSince = 0;
  #isClosed = false;

  constructor(reached: Lsn, { nudge, counters, limits = WAIT_LIMITS }: WaitParts) {
    this.#reached = reached;
    this.#nudge = nudge;
    this.#limits = limits;
    this.#counters = counters;
  }

  get reached(): Lsn {
    return this.#reached;
  }

  advance(position: Lsn): void {
    if (position <= this.#reached) return;
    this.#reached = position;
    for (const waiter of this.#waiting) if (waiter.position <= position) this.#end(waiter, true);
  }

  /**
   * Waits until the log was followed up to a position. False where that takes too long.
   *
   * @param giveUpMs after so many milliseconds. Default: as {@link WaitLimits}
   */
  async reach(position: Lsn, giveUpMs = this.#limits.giveUpMs): Promise<boolean> {
    if (position <= this.#reached) return true;
    if (this.#isClosed) return false;
    if (position - this.#reached > this.#limits.farBytes) return false;
    if (this.#isLate && performance.now() - this.#lateSince >= giveUpMs) {
      this.#nudgeIfDue();
      return false;
    }
    this.#counters.waits += 1;
    return new Promise((resolve) => this.#wait(position, giveUpMs, resolve));
  }

  /**
   * Whether the log has not come yet to a position for which a read gave up. Until it has, no read
   * waits that would not have waited longer.
   */
  get #isLate(): boolean {
    return this.#reached < this.#late;
  }

  /** Ends all waits, and lets nobody wait any longer. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting) this.#end(waiter, false);
  }

  #wait(position: Lsn, giveUpMs: number, resolve: (reached: boolean) => void): void {
    const { nudgeMs } = this.#limits;
    const since = performance.now();
    const waiter: Waiter = { position, since, resolve, isDue: false, timers: [] };
    const becomeDue = (): void => {
      waiter.isDue = true;
      this.#nudgeIfDue();
    };
    waiter.timers.push(
      setTimeout(becomeDue, nudgeMs),
      setTimeout(() => this.#giveUp(waiter), giveUpMs),
    );
    this.#waiting.add(waiter);
  }

  #giveUp(waiter: Waiter): void {
    this.#counters.lateWaits += 1;
    if (!this.#isLate) this.#lateSince = waiter.since;
    if (waiter.position > this.#late) this.#late = waiter.position;
    this.#end(waiter, false);
    this.#nudgeIfDue();
  }

  #end(waiter: Waiter, reached: boolean): void {
    this.#waiting.delete(waiter);
    for (const timer of waiter.timers) clearTimeout(timer);
    this.#counters.waitMs += performance.now() - waiter.since;
    waiter.resolve(reached);
  }

  #nudgeIfDue(): void {
    if (this.#isNudging || this.#isClosed || !this.#needsNudge()) return;
    this.#isNudging = true;
    void this.#nudgeOnce();
  }

  /**
   * Whether a read has waited long enough, or has given up, for a position that no nudge has
   * flushed.
   */
  #needsNudge(): boolean {
    if (this.#isLate && this.#late > this.#nudgedTo) return true;
    return [...this.#waiting].some(({ isDue, position }) => isDue && position > this.#nudgedTo);
  }

  async #nudgeOnce(): Promise<void> {
    this.#counters.nudges += 1;
    try {
      this.#nudgedTo = await this.#nudge();
      this.#isNudging = false;
      this.#nudgeIfDue();
    } catch {
      // The connection is lost, which ends the feed.
      this.#isNudging = false;
    }
  }
}
