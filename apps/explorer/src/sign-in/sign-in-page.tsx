import { branding } from '../theme/branding.ts';
import { SignInForm } from './sign-in-form.tsx';

/** What a reader without a token sees. */
export function SignInPage() {
  return (
    <main class="welcome">
      <h1>{branding.name}</h1>
      <p>
        Look at every model that your access token may see. The operator of the service has the
        token for you.
      </p>
      <SignInForm />
    </main>
  );
}
