import { useModal } from '../controls/before-next-event.ts';
import { isKnownToApp } from '../session/host-app.ts';
import { SignInChoices } from './sign-in-page.tsx';

interface TokenRefusedProps {
  readonly onClose: () => void;
}

/** A dialog that asks for another token; the view stays as it is. */
export function TokenRefused({ onClose }: TokenRefusedProps) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-labelledby="token-refused"
      onCancel={(event) => event.preventDefault()}
    >
      <div class="dialog-body">
        {isKnownToApp ? (
          <>
            <h2 id="token-refused">You are not signed in</h2>
            <p>Sign in to the app that has this page, then load it again.</p>
          </>
        ) : (
          <>
            <h2 id="token-refused">The token is no longer accepted</h2>
            <p>It has expired or was revoked. Sign in again to go on with this view.</p>
            <SignInChoices />
            <button type="button" class="plain" onClick={onClose}>
              Leave this view
            </button>
          </>
        )}
      </div>
    </dialog>
  );
}
