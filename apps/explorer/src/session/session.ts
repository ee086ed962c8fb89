import { signal } from '@preact/signals';

import { type AuthorizationReply, takeReply } from './authorization-reply.ts';
import { isKnownToApp } from './host-app.ts';
import { takeLinkCode } from './link-code.ts';
import type { ProviderGrant } from './provider-grant.ts';

/**
 * Whether a user is signed in, with a token of the operator or at a provider. A refused token is
 * not kept; the view stays as it is.
 */
export type Session =
  | { readonly kind: 'out' }
  | { readonly kind: 'returning'; readonly reply: AuthorizationReply }
  | { readonly kind: 'linked'; readonly code: string }
  | { readonly kind: 'in'; readonly token: string | ProviderGrant }
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

/** The part of the address that has the view: the reply of a provider is taken out of it. */
export const firstSearch = location.search;

const signOuts = new BroadcastChannel(`dynamic-query-sign-out ${FOLDER}`);

// Signing out in one tab signs out in all.
signOuts.addEventListener('message', () => {
  const { value } = session;
  if (value.kind === 'in' && typeof value.token !== 'string') forget();
});
addEventListener('storage', ({ key, oldValue, newValue }) => {
  const { value } = session;
  if (key === TOKEN_KEY && newValue === null && value.kind === 'in' && value.token === oldValue)
    forget();
});

// A link that is opened where the page is already loads nothing.
addEventListener('hashchange', () => {
  const code = takeLinkCode();
  if (code !== null) session.value = { kind: 'linked', code };
});

/** Takes a token that the service has accepted. */
export function signIn(token: string, keeping: Keeping): void {
  forgetToken();
  if (keeping === 'tab') sessionStorage.setItem(TOKEN_KEY, token);
  if (keeping === 'browser') localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(KEEPING_KEY, keeping);
  session.value = { kind: 'in', token };
}

/** Takes tokens of the provider, which the service has accepted. They stay in memory. */
export function signInAtProvider(grant: ProviderGrant): void {
  forgetToken();
  session.value = { kind: 'in', token: grant };
}

/** What was chosen when someone last signed in here. */
export function lastKeeping(): Keeping {
  const last = localStorage.getItem(KEEPING_KEY);
  return KEEPING.find((keeping) => keeping === last) ?? 'tab';
}

/** Forgets the token everywhere, and ends the session of the provider that it is of. */
export function signOut(): void {
  const { value } = session;
  forget();
  if (value.kind !== 'in' || typeof value.token === 'string') return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it has one origin
  signOuts.postMessage('out');
  const { endOfSession } = value.token;
  if (endOfSession !== null) location.assign(endOfSession);
}

/** Forgets the token in this tab and in the storage. */
export function forget(): void {
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
  if (isKnownToApp) return { kind: 'in', token: 'none' };
  const code = takeLinkCode();
  if (code !== null) return { kind: 'linked', code };
  const reply = takeReply();
  const token = sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY);
  // A link that somebody made up signs nobody out.
  if (reply !== null && (reply.pending !== null || token === null))
    return { kind: 'returning', reply };
  return token === null ? { kind: 'out' } : { kind: 'in', token };
}
