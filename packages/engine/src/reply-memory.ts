import { QueryFailedError } from './errors.ts';
import { MAX_REPLY_BYTES } from './reply-limit.ts';

/** Smaller replies do not count: the buffers that every connection has are about as large. */
export const SMALL_REPLY_BYTES = 2 ** 20;

/**
 * How often a large reply is in memory while it is read, or while it is sent: the buffers of the
 * driver, its text, the text around it, and the bytes that wait for the caller.
 */
export const REPLY_COPIES = 4;

/** How much memory there is for replies. */
export interface ReplyMemoryLimits {
  /** What all replies under way may take together. */
  readonly bytes: number;
  /** How many bytes one reply may have. Default: 64 MiB. */
  readonly maxReplyBytes?: number;
  /** How long a reply waits for memory. Default: 2000, as a query waits for a connection. */
  readonly waitMs?: number;
}

/** Something that waits for memory. */
interface Waiter {
  /** Takes the memory, if there is enough of it; returns whether it did. */
  readonly tryTake: () => boolean;
  readonly resolve: () => void;
}

/**
 * The memory that replies under way take together, from the moment they arrive from the database
 * until they are sent. A reply for which there is not enough memory waits up to two seconds, and is
 * then refused.
 *
 * How large a reply becomes is not known before all of it has arrived, so it asks for more memory
 * while it holds some. To avoid a deadlock it gets more only while enough stays free for the
 * largest of the replies that are read to grow to the maximum size: that one can always finish and
 * release its memory, and then the next one can.
 */
export class ReplyMemory {
  readonly #bytes: number;
  /** What one reply takes at most. */
  readonly #largest: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiter>();
  readonly #reads = new Map<ReplyRead, number>();
  #used = 0;
  /** The memory of replies that were read in this turn of the event loop and are not yet held. */
  #read = 0;

  constructor({ bytes, maxReplyBytes = MAX_REPLY_BYTES, waitMs = 2000 }: ReplyMemoryLimits) {
    this.#waitMs = waitMs;
    this.#bytes = bytes;
    this.#largest = Math.min(bytes, maxReplyBytes * REPLY_COPIES);
  }

  /** What replies under way take, in bytes. */
  get used(): number {
    return this.#used;
  }

  /** How many replies wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Begins to read a reply. */
  begin(): ReplyRead {
    return new ReplyRead({
      grow: (read, bytes) => this.#wait(() => this.#tryGrow(read, this.#sizeOf(bytes))),
      end: (read) => this.#end(read),
    });
  }

  /**
   * Takes the memory of a large reply that is sent. A reply that was just read keeps what it has.
   *
   * @returns gives it back
   * @throws {QueryFailedError} `overloaded` when there is none in time
   */
  async hold(replyBytes: number): Promise<() => void> {
    const bytes = this.#sizeOf(replyBytes);
    await this.#wait(() => this.#keepRead(bytes) || this.#tryHold(bytes));
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

  /**
   * Passes the memory of replies that were just read on to a reply that is sent: it is the same
   * text.
   */
  #keepRead(bytes: number): boolean {
    if (this.#read === 0) return false;
    const kept = Math.min(bytes, this.#read);
    this.#read -= kept;
    this.#used += bytes - kept;
    return true;
  }

  /**
   * Frees the memory of a reply that was read, unless it is sent: `hold` takes the memory over in
   * the same turn of the event loop.
   */
  #end(read: ReplyRead): void {
    const held = this.#reads.get(read);
    if (held === undefined) return;
    this.#reads.delete(read);
    this.#read += held;
    this.#dispatch();
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

/** What a reply that is read asks its memory for. */
interface Growth {
  readonly grow: (read: ReplyRead, replyBytes: number) => Promise<void>;
  readonly end: (read: ReplyRead) => void;
}

/** A reply that arrives from the database. */
export class ReplyRead {
  readonly #growth: Growth;
  #arrived = 0;
  #granted = SMALL_REPLY_BYTES;
  #growing: Promise<void> | undefined;
  #isEnded = false;

  constructor(growth: Growth) {
    this.#growth = growth;
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

  /** It has arrived, or will not. */
  end(): void {
    this.#isEnded = true;
    this.#growth.end(this);
  }

  async #grow(): Promise<void> {
    try {
      while (this.#arrived > this.#granted && !this.#isEnded) {
        const wanted = Math.max(this.#arrived, 2 * this.#granted);
        await this.#growth.grow(this, wanted);
        this.#granted = wanted;
        // The reply ended while it waited for memory, so what it was granted is given back.
        if (this.#isEnded) this.#growth.end(this);
      }
    } finally {
      this.#growing = undefined;
    }
  }
}
