import { ProblemError } from '@proj/client';

import { providerName, SignInError } from '../session/provider-tokens.ts';
import type { SignInOffer } from '../session/sign-in-offer.ts';
import { whyNotAccepted } from './sign-in-form.tsx';

/** Why the service does not take an access token of the provider. */
export function whyProviderTokenNotAccepted(
  error: unknown,
  offer: SignInOffer,
  accessToken: string,
): SignInError {
  if (!(error instanceof ProblemError) || error.status !== 401)
    return new SignInError(whyNotAccepted(error));
  const meantFor = audienceOf(accessToken);
  const name = providerName(offer);
  if (!meantFor.some((one) => offer.audience.includes(one)))
    return new SignInError(
      `You have signed in, but the access token of ${name} is meant for ${listed(meantFor)}, and ` +
        `the service takes those for ${listed(offer.audience)}. Whoever runs the service can ` +
        'change that.',
    );
  return new SignInError(
    `You have signed in at ${name}, but the service does not accept its access token. You may ` +
      'have no role here; the log of the service has the reason.',
  );
}

/**
 * @throws {SignInError} when an access token is none that the service can verify.
 */
export function checkVerifiable(accessToken: string, offer: SignInOffer): void {
  if (claimsOf(accessToken) !== null) return;
  throw new SignInError(
    `${providerName(offer)} gave an access token that is not a JWT, which the service cannot ` +
      'verify. Whoever runs the service can ask the provider for tokens that are meant for it.',
  );
}

function audienceOf(accessToken: string): string[] {
  return [claimsOf(accessToken)?.aud ?? []].flat().map(String);
}

/** The claims of a JWT, unverified; null for any other token. */
function claimsOf(accessToken: string): { readonly aud?: unknown } | null {
  const [, payload = '', ...signature] = accessToken.split('.');
  if (signature.length !== 1) return null;
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(text);
    return typeof claims === 'object' ? claims : null;
  } catch {
    return null;
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nobody' : names.map((name) => `“${name}”`).join(', ');
}
