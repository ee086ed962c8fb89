/** Nobody is signed in, for a reason that a reader understands. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}
