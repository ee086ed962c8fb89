import { PAGE_ADDRESS, type ProviderTokens, renewTokens, SignInError } from './provider-tokens.ts';
import type { OpenOffer } from './sign-in-offer.ts';

/** How long before its end an access token is renewed, in milliseconds. */
const EARLY_MS = 30_000;

/**
 * The tokens of a sign-in at the provider, in memory only. They are renewed when they are used, so
 * that a page that nobody uses ends with the session that the provider keeps.
 */
export class ProviderGrant {
  readonly #offer: OpenOffer;
  #tokens: ProviderTokens;
  /** Moments of `Date.now()`, which goes on while the device sleeps. */
  #renewAt = 0;
  #endsAt = 0;
  #renewal: Promise<string> | undefined;

  constructor(offer: OpenOffer, tokens: ProviderTokens) {
    this.#offer = offer;
    this.#tokens = tokens;
    this.#take(tokens);
  }

  /**
   * The access token to send.
   *
   * @param isRefused whether the service has refused the one that this returned before
   * @throws {ProviderAwayError} when it has run out and the provider does not answer
   */
  async accessToken(isRefused: boolean): Promise<string> {
    const { accessToken, refreshToken } = this.#tokens;
    const now = Date.now();
    if (refreshToken === undefined || (!isRefused && now < this.#renewAt)) return accessToken;
    const renewal = this.#renew(refreshToken);
    if (isRefused || now >= this.#endsAt) return renewal;
    // Nobody waits while the old one is still good, nor fails because the provider is away.
    renewal.catch(() => undefined);
    return accessToken;
  }

  /** Where the session of the provider is ended; null where the provider has no such address. */
  get endOfSession(): string | null {
    const { provider, client_id: clientId } = this.#offer;
    if (provider.end_session_endpoint === undefined) return null;
    const url = new URL(provider.end_session_endpoint);
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('post_logout_redirect_uri', PAGE_ADDRESS);
    return url.href;
  }

  #take(tokens: ProviderTokens): void {
    this.#tokens = tokens;
    const { lifetimeMs } = tokens;
    this.#endsAt = Date.now() + lifetimeMs;
    this.#renewAt = this.#endsAt - Math.min(EARLY_MS, lifetimeMs / 2);
  }

  #renew(refreshToken: string): Promise<string> {
    this.#renewal ??= this.#renewOnce(refreshToken).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewOnce(refreshToken: string): Promise<string> {
    try {
      this.#take(await renewTokens(this.#offer, refreshToken));
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      // The provider renews no more. What is left is good until the service refuses it.
      this.#tokens = { ...this.#tokens, refreshToken: undefined };
    }
    return this.#tokens.accessToken;
  }
}
