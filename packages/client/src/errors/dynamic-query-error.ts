/**
 * What every failure of a request has in common: `error instanceof DynamicQueryError`.
 *
 * Not in the family: a wrong option or argument (`TypeError`, `RangeError`), the reason of an
 * aborted signal, and whatever a `token` function throws. Those reach the caller as they are.
 *
 * The token is in no error of the family, nor in its `cause`, unless the service sends it back or a
 * replaced `fetch` puts it there.
 */
export class DynamicQueryError extends Error {
  override readonly name: string = 'DynamicQueryError';
}
