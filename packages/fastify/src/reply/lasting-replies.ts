import type { LastingAccess } from './lasting-access.ts';

export interface LastingReply {
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
  /** Ends it if its caller may no longer get it. */
  beat(): Promise<void>;
  /** The service is stopping. */
  stop(): void;
}

/** Replies that last, and whose callers may lose access meanwhile. */
export abstract class LastingReplies<Reply extends LastingReply> {
  readonly #replies = new Set<Reply>();
  protected abstract readonly beatMs: number;
  /** One for all: there may be thousands of them. */
  #heartbeat: NodeJS.Timeout | undefined;
  #isStopping = false;

  get running(): number {
    return this.#replies.size;
  }

  /** Identifies their callers anew. */
  recheckAll(): void {
    for (const reply of this.#replies) {
      reply.access.forget();
      void reply.beat();
    }
  }

  /** Also stops each that is added from now on. */
  stopAll(): void {
    this.#isStopping = true;
    for (const reply of this.#replies) reply.stop();
  }

  add(reply: Reply): void {
    this.#heartbeat ??= setInterval(() => {
      for (const one of this.#replies) void one.beat();
    }, this.beatMs).unref();
    this.#replies.add(reply);
    if (this.#isStopping) reply.stop();
  }

  remove(reply: Reply): void {
    this.#replies.delete(reply);
    if (this.#replies.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}
