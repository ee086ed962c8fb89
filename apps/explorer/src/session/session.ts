import { signal } from '@preact/signals';

/** Whether a user is signed in. A refused token is not kept; the view stays as it is. */
export type Session =
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly token: string }
  | { readonly kind: 'refused' };

const STORAGE_KEY = 'dynamic-query-token';

/**
 * The session of this tab. The token is in the memory of the page, and in the tab's storage when
 * the reader chose so.
 */
export const session = signal<Session>(restored());

/** Takes a token that the service has accepted. */
export function signIn(token: string, { keep }: { readonly keep: boolean }): void {
  if (keep) sessionStorage.setItem(STORAGE_KEY, token);
  else sessionStorage.removeItem(STORAGE_KEY);
  session.value = { kind: 'in', token };
}

/** Forgets the token everywhere. */
export function signOut(): void {
  sessionStorage.removeItem(STORAGE_KEY);
  session.value = { kind: 'out' };
}

/** Notes that the service no longer accepts the token. */
export function refuseToken(): void {
  if (session.value.kind !== 'in') return;
  sessionStorage.removeItem(STORAGE_KEY);
  session.value = { kind: 'refused' };
}

function restored(): Session {
  const token = sessionStorage.getItem(STORAGE_KEY);
  return token === null ? { kind: 'out' } : { kind: 'in', token };
}
