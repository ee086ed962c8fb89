interface Carrier<Value> {
  [key: symbol]: Value | undefined;
}

/**
 * Values kept on objects of others, one for each request. A `WeakMap` would do, but whenever it
 * grows, the garbage collector keeps all it holds until it next sweeps the old heap.
 */
export class Attached<To extends object, Value> {
  readonly #key = Symbol('attached');

  get(to: To): Value | undefined {
    return (to as Carrier<Value>)[this.#key];
  }

  set(to: To, value: Value): void {
    (to as Carrier<Value>)[this.#key] = value;
  }
}
