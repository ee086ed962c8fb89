import type { Lsn } from '../../log/lsn.ts';

export interface WaitLimits {
  /** Milliseconds until the server is made to flush its log. */
  readonly nudgeMs: number;
  /** Milliseconds until a read goes on without the log. */
  readonly giveUpMs: number;
  /** A read does not wait for more bytes of log than this. */
  readonly farBytes: bigint;
}

const WAIT_LIMITS: WaitLimits = { nudgeMs: 2, giveUpMs: 20, farBytes: 8n * 2n ** 20n };

export interface WaitCounters {
  waits: number;
  lateWaits: number;
  /** Their sum, in milliseconds. */
  waitMs: number;
  nudges: number;
}

interface WaitParts {
  /** Makes the server flush its log; resolves to the flushed position. */
  readonly nudge: () => Promise<Lsn>;
  readonly counters: WaitCounters;
  readonly limits?: WaitLimits;
}

interface Waiter {
  readonly position: Lsn;
  readonly since: number;
  readonly resolve: (reached: boolean) => void;
  isDue: boolean;
  readonly timers: NodeJS.Timeout[];
}

/**
 * How far the feed has read the log, and who waits for it.
 *
 * Servers send only flushed log. To get open transactions, or commits that don't wait for the
 * flush, the feed commits itself (a nudge), one at a time for all waiting reads.
 */
export class FeedPosition {
  readonly #nudge: WaitParts['nudge'];
  readonly #limits: WaitLimits;
  readonly #counters: WaitCounters;
  readonly #waiting = new Set<Waiter>();
  #reached: Lsn;
  #nudgedTo: Lsn = 0n;
  #isNudging = false;
  #late: Lsn = 0n;
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

  /** Whether a read gave up on a position ahead of the log. Then others wait no longer than it. */
  get #isLate(): boolean {
    return this.#reached < this.#late;
  }

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

  /** Whether a read waits too long, or gave up, for a position that no nudge has flushed. */
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
