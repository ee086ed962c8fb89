import { useState } from 'preact/hooks';

import { lazyPart } from '../controls/lazy-part.tsx';
import { signInOffer } from '../session/sign-in-offer.ts';
import { SignInForm } from './sign-in-form.tsx';

const ProviderSignIn = lazyPart(
  async () => (await import('./provider-sign-in.tsx')).ProviderSignIn,
);

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
