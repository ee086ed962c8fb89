import { useEffect, useRef } from 'preact/hooks';

import { SignInForm } from './sign-in-form.tsx';
import { signOut } from '../session/session.ts';

/** A dialog that asks for another token; the view stays as it is. */
export function TokenRefused() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="token-refused"
      onCancel={(event) => event.preventDefault()}
    >
      <div class="dialog-body">
        <h2 id="token-refused">The token is no longer accepted</h2>
        <p>It has expired or was revoked. Sign in again to go on with this view.</p>
        <SignInForm />
        <button type="button" class="plain" onClick={signOut}>
          Leave this view
        </button>
      </div>
    </dialog>
  );
}
