import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 10 * 60_000;

export type Exchange =
  | { readonly token: string }
  | { readonly refusal: 'unknown' | 'used' | 'expired' };

export class SignInCode {
  readonly code = randomBytes(24).toString('base64url');
  readonly #hash = sha256(this.code);
  readonly #token: string;
  readonly #now: () => number;
  readonly #until: number;
  #isUsed = false;

  /** @param now milliseconds */
  constructor(token: string, now: () => number) {
    this.#token = token;
    this.#now = now;
    this.#until = now() + LIFETIME_MS;
  }

  /** Only the holder of a code learns why it is refused. */
  exchange(code: string): Exchange {
    if (!timingSafeEqual(this.#hash, sha256(code))) return { refusal: 'unknown' };
    if (this.#isUsed) return { refusal: 'used' };
    if (this.#now() >= this.#until) return { refusal: 'expired' };
    this.#isUsed = true;
    return { token: this.#token };
  }
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
