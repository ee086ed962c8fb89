import type { ServerResponse } from 'node:http';

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

const LISTENERS = new Attached<ServerResponse, (() => void)[]>();

/** Also when the caller has left. One listener for all: with ten of its own, Node would warn. */
export function onReplyEnd(reply: ServerResponse, listener: () => void): void {
  const known = LISTENERS.get(reply);
  if (known !== undefined) {
    known.push(listener);
    return;
  }
  const listeners = [listener];
  LISTENERS.set(reply, listeners);
  reply.once('close', () => {
    for (const each of listeners) each();
  });
}
