/**
 * The access token, or a function that gives it. The function is asked before every attempt, retries included, so it can
 * renew a token that expires; it should keep the token until then.
 */
export type TokenSource = string | (() => string | Promise<string>);

/** The characters that RFC 6750 and HTTP let into a token: visible ASCII. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Makes one function of either kind of source; it gives a token that is fit for a header. The messages never show the value.
 *
 * @throws {TypeError} at once when the source is neither a function nor a well-formed token.
 */
export function bearerToken(source: TokenSource): () => Promise<string> {
  if (typeof source === 'function') return async () => wellFormed(await source());
  const token = wellFormed(source);
  return async () => token;
}

function wellFormed(token: unknown): string {
  if (typeof token === 'string' && VISIBLE_ASCII.test(token)) return token;
  const got = typeof token === 'string' ? `a string of ${token.length} characters that is not` : typeof token;
  throw new TypeError(
    `token: expected the access token without "Bearer ", in visible ASCII without spaces, or a function that gives it; got ${got}`,
  );
}
