import { signInOffer } from '../session/sign-in-offer.ts';
import { branding } from '../theme/branding.ts';
import { SignInChoices } from './sign-in-choices.tsx';

/** What a reader without a token sees. */
export function SignInPage() {
  return (
    <main class="welcome">
      <h1>{branding.name}</h1>
      <p>
        {signInOffer === null
          ? 'Look at every model that your access token may see. The operator of the service has ' +
            'the token for you.'
          : 'Look at every model that you may see, until this page is loaded again.'}
      </p>
      <SignInChoices />
    </main>
  );
}
