import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { addressOwner } from './address-owner.ts';
import { OWNERS } from './counts/local-counts.ts';

/** How long after it was last accepted, in milliseconds. */
const REMEMBERED_MS = 60 * 60_000;

const HASHED_AGAIN_MS = 1000;

const NONE = { address: '', token: '', at: -Infinity };

/** Drops the least recently used. At most about 2 MB. */
export class AcceptedTokens {
  readonly #now: () => number;
  readonly #acceptedAt = new LRUCache<string, number>(OWNERS);
  /** A caller's next request is not hashed again. */
  #last = NONE;

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(address: string, token: string): void {
    const now = this.#now();
    const last = this.#last;
    if (address === last.address && token === last.token && now - last.at < HASHED_AGAIN_MS) return;
    this.#acceptedAt.set(keyOf(address, token), now);
    this.#last = { address, token, at: now };
  }

  has(address: string, token: string): boolean {
    const acceptedAt = this.#acceptedAt.get(keyOf(address, token));
    return acceptedAt !== undefined && this.#now() - acceptedAt < REMEMBERED_MS;
  }

  remove(address: string, token: string): void {
    this.#last = NONE;
    this.#acceptedAt.delete(keyOf(address, token));
  }
}

function keyOf(address: string, token: string): string {
  return hash('sha256', `${addressOwner(address)} ${token}`, 'base64');
}
