/** What may have to be waited for. */
export type Soon<Value> = Value | Promise<Value>;

/** In the same turn where nothing is waited for. */
export function after<Value, Next>(
  value: Soon<Value>,
  use: (value: Value) => Soon<Next>,
): Soon<Next> {
  return value instanceof Promise ? value.then(use) : use(value);
}
