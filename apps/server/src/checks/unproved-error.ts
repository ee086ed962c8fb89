/** Nothing is wrong, and nothing is proved. The message says what to do. */
export class UnprovedError extends Error {
  override readonly name = 'UnprovedError';
}
