import { clientFor } from '../api/clients.ts';
import { beginSession } from '../api/begin-session.ts';
import { queryClient } from '../api/query-client.ts';
import { type AuthorizationReply, keepPending } from '../session/authorization-reply.ts';
import { ProviderGrant } from '../session/provider-grant.ts';
import { authorizationRequest, exchangeCode } from '../session/provider-tokens.ts';
import { signInAtProvider } from '../session/session.ts';
import type { OpenOffer } from '../session/sign-in-offer.ts';
import { checkVerifiable, whyProviderTokenNotAccepted } from './provider-token-errors.ts';

/** Goes to the provider, which sends the reader back to this page. */
export async function leaveForProvider(offer: OpenOffer): Promise<void> {
  const { url, pending } = await authorizationRequest(offer);
  keepPending(pending);
  location.assign(url);
}

/**
 * Begins the session that a reply of the provider is for, once the service accepts its token.
 *
 * @throws {Error} saying why nobody is signed in.
 */
export async function completeSignIn(offer: OpenOffer, reply: AuthorizationReply): Promise<void> {
  const tokens = await exchangeCode(offer, reply);
  checkVerifiable(tokens.accessToken, offer);
  const models = await clientFor(tokens.accessToken)
    .models()
    .catch((error: unknown) => {
      throw whyProviderTokenNotAccepted(error, offer, tokens.accessToken);
    });
  const grant = new ProviderGrant(offer, tokens);
  beginSession(queryClient, { models, signIn: () => signInAtProvider(grant) });
}
