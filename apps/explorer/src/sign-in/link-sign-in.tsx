import { useEffect, useState } from 'preact/hooks';

import { isRecord } from '../state/browser-store.ts';
import { lastKeeping, signIn } from '../session/session.ts';

/** Signs in with the code of the link that the service has printed. */
export function LinkSignIn({ code }: { readonly code: string }) {
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setError(null);
    exchange(code).then(
      (token) => signIn(token, lastKeeping()),
      (cause: unknown) => setError(cause instanceof Error ? cause.message : String(cause)),
    );
  }, [code]);
  return (
    <>
      {error === null && <p role="status">Signing in …</p>}
      <p class="errors" role="alert">
        {error}
      </p>
    </>
  );
}

async function exchange(code: string): Promise<string> {
  const reply = await fetch('sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body: unknown = await reply.json();
  if (isRecord(body) && typeof body['token'] === 'string') return body['token'];
  const why = isRecord(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
  throw new Error(`${why} Paste the token that the service has printed.`.trim());
}
