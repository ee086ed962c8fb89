interface Carrier<Value> {
  [key: symbol]: Value | undefined;
}

/** Values on objects of others. A `WeakMap` that grows keeps all it holds in the old heap. */
export class Attached<To extends object, Value> {
  readonly #key = Symbol('attached');

  get(to: To): Value | undefined {
    return (to as Carrier<Value>)[this.#key];
  }

  set(to: To, value: Value): void {
    (to as Carrier<Value>)[this.#key] = value;
  }
}
