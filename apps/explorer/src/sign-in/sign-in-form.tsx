import { NetworkError, ProblemError } from '@proj/client';
import { useId, useState } from 'preact/hooks';

import { clientFor } from '../api/clients.ts';
import { beginSession } from '../api/begin-session.ts';
import { queryClient } from '../api/query-client.ts';
import { useFirstFocus } from '../controls/before-next-event.ts';
import { type Keeping, lastKeeping, signIn } from '../session/session.ts';
import { KeepingChoice } from './keeping-choice.tsx';

/** Asks for a token, tries it, and begins the session with it. */
export function SignInForm() {
  const [token, setToken] = useState('');
  const [keeping, setKeeping] = useState(lastKeeping);
  const field = useFirstFocus<HTMLInputElement>();
  const { error, isTrying, attempt } = useAttempt();
  const id = useId();
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(token.trim(), keeping);
      }}
    >
      <label for={`${id}-token`}>Access token</label>
      <input
        ref={field}
        id={`${id}-token`}
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        value={token}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <KeepingChoice value={keeping} onChange={setKeeping} />
      <div class="attempt">
        <button type="submit" class="primary" disabled={isTrying}>
          {isTrying ? 'Trying …' : 'Sign in'}
        </button>
        <p id={`${id}-error`} class="errors" role="alert">
          {error}
        </p>
      </div>
    </form>
  );
}

/** Tries a token on the catalogue, which every token may read. */
function useAttempt() {
  const [error, setError] = useState<string | null>(null);
  const [isTrying, setTrying] = useState(false);
  const attempt = async (token: string, keeping: Keeping) => {
    setTrying(true);
    setError(null);
    try {
      const models = await clientFor(token).models();
      beginSession(queryClient, { models, signIn: () => signIn(token, keeping) });
    } catch (cause) {
      setError(whyNotAccepted(cause));
    }
    setTrying(false);
  };
  return { error, isTrying, attempt };
}

/** Why the service does not take a token that its reader has pasted. */
export function whyNotAccepted(error: unknown): string {
  if (error instanceof ProblemError && error.status === 401)
    return 'The service does not accept this token. It may be mistyped, expired or revoked.';
  if (error instanceof ProblemError) return `The service answered ${error.status}. ${error.detail}`;
  if (error instanceof NetworkError)
    return 'The service did not answer. Check the connection and try again.';
  if (error instanceof TypeError)
    return 'A token has visible ASCII characters only, and no spaces. Leave out the word Bearer.';
  return error instanceof Error ? error.message : 'Something unforeseen went wrong.';
}
