import type { FastifyRequest } from 'fastify';

import type { Principal } from '../../access/tokens.ts';
import { type Authenticate, authorize, principalOf } from '../plugins/access.ts';

/** What was found of a token holds for so long, in milliseconds. */
const HOLDS_MS = 1000;

/** Whether the caller of a long reply may still get it: tokens expire, and settings change. */
export class LastingAccess {
  readonly #request: FastifyRequest;
  readonly #authenticate: Authenticate;
  readonly #began: string;
  #checkedAt = performance.now();

  constructor(request: FastifyRequest, authenticate: Authenticate) {
    this.#request = request;
    this.#authenticate = authenticate;
    this.#began = seenBy(principalOf(request));
  }

  /** Finds out anew the next time that somebody asks. */
  forget(): void {
    this.#checkedAt = -Infinity;
  }

  /**
   * Whether the caller may see the same as when the reply began. There is nothing to wait for where
   * that was just found out.
   *
   * @throws {HttpProblem} `unauthenticated` when the token is no longer valid
   * @throws {AccessError} when it may see nothing any longer
   */
  isSame(): true | Promise<boolean> {
    return performance.now() - this.#checkedAt < HOLDS_MS || this.#isStillSame();
  }

  async #isStillSame(): Promise<boolean> {
    const { authorization } = this.#request.headers;
    const principal = await authorize(authorization, this.#authenticate);
    this.#checkedAt = performance.now();
    return seenBy(principal) === this.#began;
  }
}

/** The same for callers who see the same, and for no others. */
function seenBy({ id, hidesDataVersion = false, grant }: Principal): string {
  return JSON.stringify([id, hidesDataVersion, grant.key]);
}
