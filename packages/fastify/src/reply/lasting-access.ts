import { type Ask, type Principal, principalOf } from '../endpoint/ask.ts';
import type { PipelineParts } from '../endpoint/pipeline.ts';

/** How long an identification holds, in milliseconds. */
const HOLDS_MS = 1000;

interface AccessCheck {
  readonly at: number;
  readonly seenBy: Promise<string>;
}

export class AccessChecks {
  readonly #identify: PipelineParts['identify'];
  readonly #keyOf: (ask: Ask) => unknown;
  readonly #checks = new Map<unknown, AccessCheck>();

  /** @param keyOf equal for asks of the same caller; each ask is its own where absent */
  constructor(identify: PipelineParts['identify'], keyOf: (ask: Ask) => unknown = (ask) => ask) {
    this.#identify = identify;
    this.#keyOf = keyOf;
  }

  /** Reuses an identification made since a moment. */
  since(moment: number, ask: Ask): AccessCheck {
    const key = this.#keyOf(ask);
    const known = this.#checks.get(key);
    if (known !== undefined && known.at > moment) return known;
    const at = performance.now();
    const check = { at, seenBy: this.#seenBy(ask) };
    this.#checks.delete(key);
    this.#checks.set(key, check);
    // Dropping outdated entries drops their tokens.
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

  /** Makes the next check identify the caller anew. */
  forget(): void {
    this.#forgottenAt = performance.now();
  }

  /** As when the reply began; synchronous if just checked. @throws as identifying the caller */
  isSame(): true | Promise<boolean> {
    const since = Math.max(performance.now() - HOLDS_MS, this.#forgottenAt);
    return this.#checkedAt > since || this.#isStillSame(since);
  }

  async #isStillSame(since: number): Promise<boolean> {
    const { at, seenBy: found } = this.#checks.since(since, this.#ask);
    const isSame = (await found) === this.#began;
    this.#checkedAt = at;
    return isSame;
  }
}

/** Equal only for callers who see the same. */
function seenBy({ id, hidesDataVersion = false, grant }: Principal): string {
  return JSON.stringify([id, hidesDataVersion, grant.key]);
}
