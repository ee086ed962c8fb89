import { type Ask, principalOf } from '../endpoint/ask.ts';
import type { PipelineParts } from '../endpoint/pipeline.ts';
import type { Principal } from '../endpoint/principal.ts';

/** What was found of a caller holds for so long, in milliseconds. */
const HOLDS_MS = 1000;

/** Who a caller was found to be, and when that was asked. */
interface AccessCheck {
  readonly at: number;
  readonly seenBy: Promise<string>;
}

/** Finds out who callers are: once for all long replies to the same one. */
export class AccessChecks {
  readonly #identify: PipelineParts['identify'];
  readonly #keyOf: (ask: Ask) => unknown;
  /** The last one was asked last. */
  readonly #checks = new Map<unknown, AccessCheck>();

  /** @param keyOf equal for asks of the same caller; each ask is one of its own where absent */
  constructor(identify: PipelineParts['identify'], keyOf: (ask: Ask) => unknown = (ask) => ask) {
    this.#identify = identify;
    this.#keyOf = keyOf;
  }

  /** Asks who calls, unless somebody has since some moment. */
  since(moment: number, ask: Ask): AccessCheck {
    const key = this.#keyOf(ask);
    const known = this.#checks.get(key);
    if (known !== undefined && known.at > moment) return known;
    const at = performance.now();
    const check = { at, seenBy: this.#seenBy(ask) };
    this.#checks.delete(key);
    this.#checks.set(key, check);
    // With what no longer holds go the tokens.
    for (const [earlier, one] of this.#checks) {
      if (at - one.at < HOLDS_MS) break;
      this.#checks.delete(earlier);
    }
    return check;
  }

  async #seenBy(ask: Ask): Promise<string> {
    return seenBy(await this.#identify(ask));
  }
}

/** Whether the caller of a long reply may still get it: tokens expire, and settings change. */
export class LastingAccess {
  readonly #ask: Ask;
  readonly #checks: Pick<AccessChecks, 'since'>;
  readonly #began: string;
  #checkedAt = performance.now();
  #forgottenAt = -Infinity;

  constructor(ask: Ask, checks: Pick<AccessChecks, 'since'>) {
    this.#ask = ask;
    this.#checks = checks;
    this.#began = seenBy(principalOf(ask));
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
    const since = Math.max(holdsSince, this.#forgottenAt);
    const { at, seenBy: found } = this.#checks.since(since, this.#ask);
    const isSame = (await found) === this.#began;
    this.#checkedAt = at;
    return isSame;
  }
}

/** The same for callers who see the same, and for no others. */
function seenBy({ id, hidesDataVersion = false, grant }: Principal): string {
  return JSON.stringify([id, hidesDataVersion, grant.key]);
}
