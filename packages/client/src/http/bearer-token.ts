import type { TokenSource } from '../options/client-options.ts';

export interface BearerToken {
  readonly current: () => Promise<string>;
  /** Replaces a refused token; `null` where the token is fixed. */
  readonly renew: ((refused: string) => Promise<string>) | null;
}

/** RFC 6750 and HTTP allow visible ASCII only. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** @throws {TypeError} at once when the source is neither a function nor a well-formed token */
export function bearerToken(source: TokenSource): BearerToken {
  if (typeof source !== 'function') {
    const token = wellFormed(source);
    return { current: async () => token, renew: null };
  }
  const ask = async (refresh: boolean): Promise<string> => wellFormed(await source({ refresh }));
  let renewal: Promise<string> | null = null;
  return {
    current: async () => ask(false),
    renew: async (refused) => {
      // Another request with the same token may have renewed it already.
      const token = renewal ?? (await ask(false));
      if (token !== refused) return token;
      renewal ??= ask(true).finally(() => (renewal = null));
      return renewal;
    },
  };
}

function wellFormed(token: unknown): string {
  if (typeof token === 'string' && VISIBLE_ASCII.test(token)) return token;
  const got =
    typeof token === 'string' ? `a string of ${token.length} characters that is not` : typeof token;
  throw new TypeError(
    'token: expected the access token without "Bearer ", in visible ASCII without spaces, or ' +
      `a function that returns it; got ${got}`,
  );
}
