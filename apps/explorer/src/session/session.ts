import { signal } from '@preact/signals';

/** Whether a user is signed in. A refused token is not kept; the view stays as it is. */
export type Session =
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly token: string }
  | { readonly kind: 'refused' };

/**
 * Where a token is kept: in the memory of the page, in the storage of its tab, or in that of the
 * browser, which every tab reads.
 */
export const KEEPING = ['page', 'tab', 'browser'] as const;
export type Keeping = (typeof KEEPING)[number];

/** Services at other addresses of one host have keys of their own. */
const FOLDER = new URL('.', location.href).pathname;
const TOKEN_KEY = `dynamic-query-token ${FOLDER}`;
const KEEPING_KEY = `dynamic-query-keeping ${FOLDER}`;

/** The session of this tab. */
export const session = signal<Session>(restored());

// Signing out in one tab signs out in all.
addEventListener('storage', ({ key, oldValue, newValue }) => {
  const { value } = session;
  if (key === TOKEN_KEY && newValue === null && value.kind === 'in' && value.token === oldValue)
    signOut();
});

/** Takes a token that the service has accepted. */
export function signIn(token: string, keeping: Keeping): void {
  forgetToken();
  if (keeping === 'tab') sessionStorage.setItem(TOKEN_KEY, token);
  if (keeping === 'browser') localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(KEEPING_KEY, keeping);
  session.value = { kind: 'in', token };
}

/** What was chosen when someone last signed in here. */
export function lastKeeping(): Keeping {
  const last = localStorage.getItem(KEEPING_KEY);
  return KEEPING.find((keeping) => keeping === last) ?? 'tab';
}

/** Forgets the token everywhere. */
export function signOut(): void {
  forgetToken();
  session.value = { kind: 'out' };
}

/** Notes that the service no longer accepts the token. */
export function refuseToken(): void {
  if (session.value.kind !== 'in') return;
  forgetToken();
  session.value = { kind: 'refused' };
}

function forgetToken(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(TOKEN_KEY);
}

function restored(): Session {
  const token = sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY);
  return token === null ? { kind: 'out' } : { kind: 'in', token };
}
