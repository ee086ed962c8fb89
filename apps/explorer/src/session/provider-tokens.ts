import * as oauth from 'oauth4webapi';

import type { AuthorizationReply, PendingSignIn } from './authorization-reply.ts';
import { ProviderAwayError } from './provider-away-error.ts';
import type { OpenOffer, SignInOffer } from './sign-in-offer.ts';

/** Nobody is signed in, for a reason that a reader understands. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** Where the provider sends people back to: the folder of the page, as it is registered there. */
export const PAGE_ADDRESS = new URL('.', location.href).href;

/** The name by which a page can speak of the provider. */
export function providerName({ issuer }: Pick<SignInOffer, 'issuer'>): string {
  return new URL(issuer).host;
}

/** What the provider issued. */
export interface ProviderTokens {
  readonly accessToken: string;
  /** Undefined where the provider renews nothing without its reader. */
  readonly refreshToken: string | undefined;
  /** For how long the access token is valid, in milliseconds; Infinity where nobody says. */
  readonly lifetimeMs: number;
}

const TIME_LIMIT_MS = 10_000;

/** Where a reader signs in, and what is kept until the reply is there. */
export async function authorizationRequest(
  offer: OpenOffer,
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
  const pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    search: location.search,
  };
  const url = new URL(offer.provider.authorization_endpoint ?? '');
  const parameters = {
    ...offer.parameters,
    client_id: offer.client_id,
    redirect_uri: PAGE_ADDRESS,
    response_type: 'code',
    scope: offer.scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, pending };
}

/**
 * The tokens for a reply of the provider.
 *
 * @throws {SignInError} when the provider has refused, or its reply is not for this tab
 * @throws {ProviderAwayError} when it does not answer
 */
export async function exchangeCode(
  offer: OpenOffer,
  { parameters, pending }: AuthorizationReply,
): Promise<ProviderTokens> {
  if (pending === null)
    throw new SignInError(
      'The reply of the provider belongs to no sign-in of this tab, so it was not taken.',
    );
  const { provider } = offer;
  const client = { client_id: offer.client_id };
  return asking(offer, async (options) => {
    const checked = oauth.validateAuthResponse(provider, client, parameters, pending.state);
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      oauth.None(),
      checked,
      PAGE_ADDRESS,
      pending.verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(provider, client, response, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    });
  });
}

/**
 * New tokens in place of those that run out.
 *
 * @throws {SignInError} when the provider has ended the sign-in
 * @throws {ProviderAwayError} when it does not answer
 */
export async function renewTokens(offer: OpenOffer, refreshToken: string): Promise<ProviderTokens> {
  const { provider } = offer;
  const client = { client_id: offer.client_id };
  const renewed = await asking(offer, async (options) => {
    const response = await oauth.refreshTokenGrantRequest(
      provider,
      client,
      oauth.None(),
      refreshToken,
      options,
    );
    return oauth.processRefreshTokenResponse(provider, client, response);
  });
  return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
}

interface AskingOptions {
  readonly signal: AbortSignal;
  readonly [oauth.allowInsecureRequests]: boolean;
}

async function asking(
  offer: OpenOffer,
  ask: (options: AskingOptions) => Promise<oauth.TokenEndpointResponse>,
): Promise<ProviderTokens> {
  try {
    const reply = await ask({
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      // The service has looked at the address: http only on a loopback address.
      [oauth.allowInsecureRequests]: true,
    });
    return {
      accessToken: reply.access_token,
      refreshToken: reply.refresh_token,
      lifetimeMs: (reply.expires_in ?? Infinity) * 1000,
    };
  } catch (error) {
    throw explained(error, offer);
  }
}

/** The same in words for a reader. */
function explained(error: unknown, offer: OpenOffer): Error {
  const name = providerName(offer);
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? new SignInError(`${name} was not allowed to sign you in here.`)
      : new SignInError(`${name} did not sign you in (${codeOf(error)}).`);
  if (error instanceof oauth.ResponseBodyError && error.status < 500)
    return new SignInError(`${name} gave no token (${codeOf(error)}).`);
  if (isAway(error))
    return new ProviderAwayError(
      offer.issuer,
      `${name} did not answer. The provider may be away, or does not let pages of ` +
        `${location.origin} ask for tokens.`,
      { cause: error },
    );
  const detail = error instanceof Error ? error.message : String(error);
  return new SignInError(`The reply of ${name} cannot be trusted: ${detail}.`);
}

function codeOf({
  error,
  error_description: description,
}: oauth.AuthorizationResponseError | oauth.ResponseBodyError): string {
  return description === undefined ? error : `${error}: ${description}`;
}

/** `fetch` fails, times out, or a server before the provider answers in its place. */
function isAway(error: unknown): boolean {
  if (error instanceof oauth.ResponseBodyError) return true;
  if (error instanceof oauth.OperationProcessingError)
    return error.cause instanceof Response && error.cause.status >= 500;
  return error instanceof TypeError || error instanceof DOMException;
}
