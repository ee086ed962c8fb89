import { useEffect, useState } from 'preact/hooks';

import { useFirstFocus } from '../controls/before-next-event.ts';
import type { AuthorizationReply } from '../session/authorization-reply.ts';
import { providerName } from '../session/provider-tokens.ts';
import { forget, session } from '../session/session.ts';
import type { OpenOffer, SignInOffer } from '../session/sign-in-offer.ts';
import { completeSignIn, leaveForProvider } from './at-provider.ts';

interface ProviderSignInProps {
  readonly offer: SignInOffer;
  /** Closes what is shown where the code of this part cannot be loaded. */
  readonly onClose: () => void;
}

/** Sends the reader to the provider, and takes what it sends back. */
export function ProviderSignIn({ offer }: ProviderSignInProps) {
  const button = useFirstFocus<HTMLButtonElement>();
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(session.value.kind === 'returning');
  const attempt = async (work: (open: OpenOffer) => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work(opened(offer));
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      setBusy(false);
    }
  };
  useReply((reply) => attempt(async (open) => completeSignIn(open, reply)));
  return (
    <>
      <button
        ref={button}
        type="button"
        class="primary"
        disabled={isBusy}
        onClick={() => void attempt(leaveForProvider)}
      >
        {isBusy ? 'Signing in …' : `Sign in with ${providerName(offer)}`}
      </button>
      <p class="errors" role="alert">
        {error}
      </p>
    </>
  );
}

/** Takes the reply that the page was loaded with, once. */
function useReply(complete: (reply: AuthorizationReply) => Promise<void>): void {
  useEffect(() => {
    const { value } = session;
    if (value.kind === 'returning') void take(value.reply);
  }, []);
  const take = async (reply: AuthorizationReply): Promise<void> => {
    await complete(reply);
    if (session.value.kind === 'returning') forget();
  };
}

/** @throws {Error} saying why nobody can sign in. */
function opened(offer: SignInOffer): OpenOffer {
  const { provider } = offer;
  if (!isSecureContext)
    throw new Error('Browsers sign in only from a page that is loaded over https.');
  if (provider === null)
    throw new Error(
      `The service could not reach ${providerName(offer)} yet. Load the page again in a while.`,
    );
  return { ...offer, provider };
}
