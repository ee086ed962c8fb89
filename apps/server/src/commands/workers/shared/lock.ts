/** Lets one piece of work run at a time, in the order in which they were asked for. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
