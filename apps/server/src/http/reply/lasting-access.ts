import type { FastifyRequest } from 'fastify';

import type { Principal } from '../../access/tokens.ts';
import { type Authenticate, authorize, principalOf } from '../plugins/access.ts';

/** What was found of a token holds for so long, in milliseconds. */
const HOLDS_MS = 1000;

/** What a token was found to stand for, and when that was asked. */
interface AccessCheck {
  readonly at: number;
  readonly seenBy: Promise<string>;
}

/** Finds out who tokens stand for: once for all long replies with the same token. */
export class AccessChecks {
  readonly #authenticate: Authenticate;
  /** By the header that has the token. The last one was asked last. */
  readonly #checks = new Map<string | undefined, AccessCheck>();

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate;
  }

  /** Asks who a token stands for, unless somebody has since some moment. */
  since(moment: number, authorization: string | undefined): AccessCheck {
    const known = this.#checks.get(authorization);
    if (known !== undefined && known.at > moment) return known;
    const at = performance.now();
    const check = { at, seenBy: authorize(authorization, this.#authenticate).then(seenBy) };
    this.#checks.delete(authorization);
    this.#checks.set(authorization, check);
    // With what no longer holds go the tokens.
    for (const [header, one] of this.#checks) {
      if (at - one.at < HOLDS_MS) break;
      this.#checks.delete(header);
    }
    return check;
  }
}

/** Whether the caller of a long reply may still get it: tokens expire, and settings change. */
export class LastingAccess {
  readonly #request: FastifyRequest;
  readonly #checks: Pick<AccessChecks, 'since'>;
  readonly #began: string;
  #checkedAt = performance.now();
  #forgottenAt = -Infinity;

  constructor(request: FastifyRequest, checks: Pick<AccessChecks, 'since'>) {
    this.#request = request;
    this.#checks = checks;
    this.#began = seenBy(principalOf(request));
  }

  /** Finds out anew the next time that somebody asks. */
  forget(): void {
    this.#checkedAt = -Infinity;
    this.#forgottenAt = performance.now();
  }

  /**
   * Whether the caller may see the same as when the reply began. There is nothing to wait for where
   * that was just found out.
   *
   * @throws {HttpProblem} `unauthenticated` when the token is no longer valid
   * @throws {AccessError} when it may see nothing any longer
   */
  isSame(): true | Promise<boolean> {
    const holdsSince = performance.now() - HOLDS_MS;
    return this.#checkedAt > holdsSince || this.#isStillSame(holdsSince);
  }

  async #isStillSame(holdsSince: number): Promise<boolean> {
    const { authorization } = this.#request.headers;
    const since = Math.max(holdsSince, this.#forgottenAt);
    const { at, seenBy: found } = this.#checks.since(since, authorization);
    const isSame = (await found) === this.#began;
    this.#checkedAt = at;
    return isSame;
  }
}

/** The same for callers who see the same, and for no others. */
function seenBy({ id, hidesDataVersion = false, grant }: Principal): string {
  return JSON.stringify([id, hidesDataVersion, grant.key]);
}
