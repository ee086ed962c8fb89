import { NetworkError, ProblemError } from '@proj/client';
import { useId, useState } from 'preact/hooks';

import { clientFor } from '../api/clients.ts';
import { queryClient } from '../api/query-client.ts';
import { signIn } from '../session/session.ts';

/** Asks for a token, tries it, and begins the session with it. */
export function SignInForm() {
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const { error, isTrying, attempt } = useAttempt();
  const id = useId();
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(token.trim(), keep);
      }}
    >
      <label for={`${id}-token`}>Access token</label>
      <input
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
      <p id={`${id}-error`} class="errors" role="alert">
        {error}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        Keep it until this tab is closed
      </label>
      <p class="hint">
        Otherwise the token stays in the memory of the page and is gone after a reload. It is never
        part of the address.
      </p>
      <button type="submit" class="primary" disabled={isTrying}>
        {isTrying ? 'Trying …' : 'Sign in'}
      </button>
    </form>
  );
}

/** Tries a token on the catalogue, which every token may read. */
function useAttempt() {
  const [error, setError] = useState<string | null>(null);
  const [isTrying, setTrying] = useState(false);
  const attempt = async (token: string, keep: boolean) => {
    setTrying(true);
    setError(null);
    try {
      await clientFor(token).models();
      signIn(token, { keep });
      // What an earlier token was refused is read again; what is shown stays.
      void queryClient.invalidateQueries();
    } catch (cause) {
      setError(explain(cause));
    }
    setTrying(false);
  };
  return { error, isTrying, attempt };
}

function explain(error: unknown): string {
  if (error instanceof ProblemError && error.status === 401)
    return 'The service does not accept this token. It may be mistyped, expired or revoked.';
  if (error instanceof ProblemError) return `The service answered ${error.status}. ${error.detail}`;
  if (error instanceof NetworkError)
    return 'The service did not answer. Check the connection and try again.';
  if (error instanceof TypeError)
    return 'A token has visible ASCII characters only, and no spaces. Leave out the word Bearer.';
  return error instanceof Error ? error.message : 'Something unforeseen went wrong.';
}
