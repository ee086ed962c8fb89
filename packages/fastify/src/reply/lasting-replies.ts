interface LastingReply {
  /** Ends it if its caller may no longer get it. */
  readonly recheck: () => void;
  /** The service is stopping. */
  readonly stop: () => void;
}

/** Replies that last, and whose callers may lose access meanwhile. */
export class LastingReplies<Reply extends LastingReply> {
  protected readonly replies = new Set<Reply>();
  #isStopping = false;

  get running(): number {
    return this.replies.size;
  }

  recheckAll(): void {
    for (const reply of this.replies) reply.recheck();
  }

  /** Also stops each that is added from now on. */
  stopAll(): void {
    this.#isStopping = true;
    for (const reply of this.replies) reply.stop();
  }

  add(reply: Reply): void {
    this.replies.add(reply);
    if (this.#isStopping) reply.stop();
  }

  remove(reply: Reply): void {
    this.replies.delete(reply);
  }
}
