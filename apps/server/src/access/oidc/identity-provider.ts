import { type IssuerLog, reasonOf } from '../issuer-document.ts';
import { type ProviderDocument, readProviderDocument } from './provider-document.ts';

const REFRESH_MS = 600_000;

/** Pause after a failed read, in milliseconds. */
const COOLDOWN_MS = 5000;

export interface ProviderParts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly log: IssuerLog;
}

/** Reads the document at once, and on demand when old; during an outage the last one serves. */
export class IdentityProvider {
  readonly #issuer: string;
  readonly #parts: ProviderParts;
  readonly #closing = new AbortController();
  #document: ProviderDocument | undefined;
  #reading: Promise<void> | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #isFailing = false;

  constructor(issuer: string, parts: ProviderParts) {
    this.#issuer = issuer;
    this.#parts = parts;
    void this.#read();
  }

  /** Undefined where nothing could be read yet: waits once, and not while reads fail. */
  async document(): Promise<ProviderDocument | undefined> {
    if (this.#elapsed(this.#readAt) > REFRESH_MS && this.#elapsed(this.#triedAt) > COOLDOWN_MS)
      void this.#read();
    if (this.#document === undefined) await this.#reading;
    return this.#document;
  }

  close(): void {
    this.#closing.abort();
  }

  /** A clock that was set back makes everything old. */
  #elapsed(since: number): number {
    const elapsed = this.#parts.now() - since;
    return elapsed < 0 ? Infinity : elapsed;
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const { fetch, now, log } = this.#parts;
    const issuer = this.#issuer;
    const { signal } = this.#closing;
    this.#triedAt = now();
    try {
      this.#document = await readProviderDocument(issuer, { fetch, signal });
      if (this.#isFailing) log.info({ issuer }, 'the OpenID provider can be read again');
      this.#readAt = now();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !signal.aborted)
        log.warn(
          { issuer, serving: this.#document !== undefined, reason: reasonOf(error) },
          'the OpenID provider of the explorer cannot be read',
        );
      this.#isFailing = true;
    }
  }
}
