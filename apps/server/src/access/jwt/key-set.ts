import { HttpProblem } from '@proj/fastify/host';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

import { backoff } from '../../backoff.ts';
import { type IssuerLog, reasonOf } from '../issuer-document.ts';
import { readKeyDocument } from './jwt-key-document.ts';

const SECOND_MS = 1000;

/** How often keys are read, and so how long removed ones are accepted, in milliseconds. */
const REFRESH_MS = 600 * SECOND_MS;

/** How long keys last while the issuer does not answer, in milliseconds. */
const STALE_MS = 24 * 3600 * SECOND_MS;

/** In milliseconds: delays new keys of the issuer, and stops made-up keys from causing reads. */
const COOLDOWN_MS = 5 * SECOND_MS;

export interface KeySetParts {
  readonly issuer: string;
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly log: IssuerLog;
  /** Called when a key is gone, which invalidates what it verified. */
  readonly onRemoval: () => void;
}

interface HeldKeys {
  readonly find: JWTVerifyGetKey;
  readonly texts: ReadonlySet<string>;
  readonly readAt: number;
}

/**
 * The keys of one issuer, read at once and then every ten minutes.
 *
 * Not jose's remote set: ten minutes into an outage it refuses every token, and lets each request
 * retry and wait. Here old keys stay in use, and nobody waits for an issuer that has just failed.
 */
export class KeySet {
  readonly #parts: KeySetParts;
  readonly #closing = new AbortController();
  #held: HeldKeys | undefined;
  #reading: Promise<void> | undefined;
  #triedAt = 0;
  #failures = 0;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
    void this.#read();
  }

  /** @throws {HttpProblem} `auth_unavailable` when there are no usable keys */
  async keys(): Promise<JWTVerifyGetKey> {
    const held = this.#serving();
    if (held !== undefined) {
      // The timer may be late, since it does not run while the machine is suspended.
      if (this.#failures === 0 && this.#age(held) > REFRESH_MS) void this.#read();
      return held.find;
    }
    if (this.#failures === 0) await this.#read();
    const read = this.#serving();
    if (read !== undefined) return read.find;
    throw new HttpProblem('auth_unavailable', 'The keys of the token issuer cannot be read.', {
      cause: this.#failure,
    });
  }

  /** Newer keys than these; undefined where there are none, or it is too early to look. */
  async otherThan(known: JWTVerifyGetKey): Promise<JWTVerifyGetKey | undefined> {
    if (this.#held?.find === known && (this.#reading !== undefined || !this.#coolingDown())) {
      const read = this.#read();
      // Nobody waits for an issuer that has just failed.
      if (this.#failures === 0) await read;
    }
    const find = this.#held?.find;
    return find === known ? undefined : find;
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  #serving(): HeldKeys | undefined {
    return this.#held !== undefined && this.#age(this.#held) < STALE_MS ? this.#held : undefined;
  }

  #age({ readAt }: HeldKeys): number {
    return this.#parts.now() - readAt;
  }

  #coolingDown(): boolean {
    const elapsed = this.#parts.now() - this.#triedAt;
    // A negative age means that the clock was set back; then keys are read.
    return elapsed >= 0 && elapsed < COOLDOWN_MS;
  }

  /** Shares one read among all who wait. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const { url, fetch, now } = this.#parts;
    const { signal } = this.#closing;
    clearTimeout(this.#timer);
    this.#triedAt = now();
    try {
      this.#take(await readKeyDocument({ url, fetch, signal }));
      this.#failures = 0;
    } catch (error) {
      this.#fail(error);
    }
    if (signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#read(),
      this.#failures === 0 ? REFRESH_MS : backoff(this.#failures),
    );
    this.#timer.unref();
  }

  #take(document: JSONWebKeySet): void {
    const { issuer, now, log, onRemoval } = this.#parts;
    const texts = new Set(document.keys.map((key) => JSON.stringify(key)));
    const old = this.#held?.texts ?? new Set<string>();
    const removed = countMissing(old, texts);
    const added = countMissing(texts, old);
    const changed = removed + added > 0;
    const find =
      changed || this.#held === undefined ? createLocalJWKSet(document) : this.#held.find;
    this.#held = { find, texts, readAt: now() };
    if (removed > 0) onRemoval();
    if (changed || this.#failures > 0)
      log.info(
        { issuer, keys: texts.size, added, removed },
        'the keys of a token issuer were read',
      );
  }

  #fail(error: unknown): void {
    const { issuer, log } = this.#parts;
    this.#failures += 1;
    this.#failure = error;
    if (this.#failures > 1 || this.#closing.signal.aborted) return;
    const serving = this.#serving() !== undefined;
    log.warn(
      { issuer, serving, reason: reasonOf(error) },
      'the keys of a token issuer cannot be read',
    );
  }
}

function countMissing(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((text) => !other.has(text)).length;
}
