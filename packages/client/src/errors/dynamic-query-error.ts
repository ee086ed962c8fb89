/**
 * The base class of every failed request. Not in the family, and passed on as they are: a wrong
 * option or argument (`TypeError`, `RangeError`), the reason of an aborted signal, and what a
 * `token` function throws.
 *
 * No error nor its `cause` contains the token, unless the service sends it back or a custom `fetch`
 * puts it there.
 */
export class DynamicQueryError extends Error {
  override readonly name: string = 'DynamicQueryError';
}
