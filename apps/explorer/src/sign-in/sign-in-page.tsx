import { useState } from 'preact/hooks';

import { lazyPart } from '../controls/lazy-part.tsx';
import { session } from '../session/session.ts';
import { signInOffer } from '../session/sign-in-offer.ts';
import { branding } from '../theme/branding.ts';
import { LinkSignIn } from './link-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';

const ProviderSignIn = lazyPart(
  async () => (await import('./provider-sign-in.tsx')).ProviderSignIn,
);

/** What a reader without a token sees. */
export function SignInPage() {
  const { value } = session;
  return (
    <main class="welcome">
      <h1>{branding.name}</h1>
      <p>
        {signInOffer === null
          ? 'Look at every model that your access token may see. The operator of the service has ' +
            'the token for you.'
          : 'Look at every model that you may see, until this page is loaded again.'}
      </p>
      {value.kind === 'linked' && <LinkSignIn code={value.code} />}
      <SignInChoices />
    </main>
  );
}

/** Every way to sign in that the service offers. */
export function SignInChoices() {
  const [isOpen, setOpen] = useState(true);
  if (signInOffer === null) return <SignInForm />;
  return (
    <>
      <div class="provider">
        {isOpen && <ProviderSignIn offer={signInOffer} onClose={() => setOpen(false)} />}
      </div>
      <details>
        <summary>With an access token</summary>
        <SignInForm />
      </details>
    </>
  );
}
