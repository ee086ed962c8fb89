import { QueryFailedError } from './errors.ts';

export const MAX_REPLY_BYTES = 64 * 2 ** 20;

/** A connection's buffers are about this large. */
export const SMALL_REPLY_BYTES = 2 ** 20;

/** Copies of a large reply in memory: driver buffers, text, envelope, unsent bytes. */
export const REPLY_COPIES = 4;

export interface ReplyMemoryLimits {
  readonly bytes: number;
  readonly maxReplyBytes?: number;
  /** In milliseconds. Default: 2000, as a query waits for a connection. */
  readonly waitMs?: number;
}

/**
 * The memory of replies, from their arrival until they are sent. A reply waits for it up to two
 * seconds, and is then refused.
 *
 * Replies ask for more while they hold some, as their size is unknown. To avoid deadlocks one gets
 * more only while the largest could still grow to the maximum, finish, and free its memory.
 */
export class ReplyMemory {
  readonly #bytes: number;
  readonly #largest: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<{ readonly tryTake: () => boolean; readonly resolve: () => void }>();
  readonly #reads = new Map<ReplyRead, number>();
  #used = 0;
  /** Of replies read in this turn of the event loop and not held yet. */
  #read = 0;

  constructor({ bytes, maxReplyBytes = MAX_REPLY_BYTES, waitMs = 2000 }: ReplyMemoryLimits) {
    this.#waitMs = waitMs;
    this.#bytes = bytes;
    this.#largest = Math.min(bytes, maxReplyBytes * REPLY_COPIES);
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  begin(): ReplyRead {
    return new ReplyRead(this);
  }

  grow(read: ReplyRead, replyBytes: number): Promise<void> {
    return this.#wait(() => this.#tryGrow(read, this.#sizeOf(replyBytes)));
  }

  /**
   * Takes memory to send a large reply; one just read keeps its own.
   *
   * @returns gives it back
   * @throws {QueryFailedError} `overloaded` when there is none in time
   */
  async hold(replyBytes: number): Promise<() => void> {
    const bytes = this.#sizeOf(replyBytes);
    if (!this.#tryKeepRead(bytes)) await this.#wait(() => this.#tryHold(bytes));
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(bytes);
      isHeld = false;
    };
  }

  #sizeOf(replyBytes: number): number {
    return Math.min(this.#largest, replyBytes * REPLY_COPIES);
  }

  #tryGrow(read: ReplyRead, bytes: number): boolean {
    const held = this.#reads.get(read) ?? 0;
    const most = Math.max(bytes, ...this.#reads.values());
    const free = this.#bytes - this.#used - (bytes - held);
    if (free < this.#largest - most) return false;
    this.#reads.set(read, bytes);
    this.#used += bytes - held;
    return true;
  }

  #tryHold(bytes: number): boolean {
    const free = this.#bytes - this.#used - bytes;
    const most = Math.max(0, ...this.#reads.values());
    if (free < (most > 0 ? this.#largest - most : 0)) return false;
    this.#used += bytes;
    return true;
  }

  /** Passes on the memory of replies just read: it is the same text. */
  #tryKeepRead(bytes: number): boolean {
    const kept = Math.min(bytes, this.#read);
    if (kept === 0 || this.#used + bytes - kept > this.#bytes) return false;
    this.#read -= kept;
    this.#used += bytes - kept;
    return true;
  }

  /** Frees a reply's memory, unless `hold` takes it over in the same turn of the event loop. */
  end(read: ReplyRead): void {
    const held = this.#reads.get(read);
    if (held === undefined) return;
    this.#reads.delete(read);
    this.#read += held;
    setImmediate(() => {
      const left = Math.min(held, this.#read);
      this.#read -= left;
      this.#release(left);
    });
  }

  #release(bytes: number): void {
    this.#used -= bytes;
    this.#dispatch();
  }

  #dispatch(): void {
    for (const waiter of this.#waiting) {
      if (!waiter.tryTake()) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  async #wait(tryTake: () => boolean): Promise<void> {
    if (tryTake()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { tryTake, resolve };
    this.#waiting.add(waiter);
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter);
      const detail = `Other large replies took all the memory for replies for ${this.#waitMs} ms.`;
      reject(new QueryFailedError('overloaded', detail));
    }, this.#waitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

export class ReplyRead {
  readonly #memory: ReplyMemory;
  #arrived = 0;
  #granted = SMALL_REPLY_BYTES;
  #growing: Promise<void> | undefined;
  #isEnded = false;

  constructor(memory: ReplyMemory) {
    this.#memory = memory;
  }

  /**
   * Counts bytes that have arrived.
   *
   * @returns what to wait for before more is read; undefined where that may come at once
   * @throws {QueryFailedError} `overloaded` when there is no memory for more in time
   */
  add(bytes: number): Promise<void> | undefined {
    this.#arrived += bytes;
    if (this.#arrived <= this.#granted || this.#isEnded) return undefined;
    this.#growing ??= this.#grow();
    return this.#growing;
  }

  end(): void {
    this.#isEnded = true;
    this.#memory.end(this);
  }

  async #grow(): Promise<void> {
    try {
      while (this.#arrived > this.#granted && !this.#isEnded) {
        const wanted = Math.max(this.#arrived, 2 * this.#granted);
        await this.#memory.grow(this, wanted);
        this.#granted = wanted;
        // The reply ended while waiting: return what it was granted.
        if (this.#isEnded) this.#memory.end(this);
      }
    } finally {
      this.#growing = undefined;
    }
  }
}
