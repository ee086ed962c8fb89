/** What a page keeps while its reader is at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
  /** The part of the address that has the view. */
  readonly search: string;
}

/** What the provider sent back, with what this tab kept for it. */
export interface AuthorizationReply {
  readonly parameters: URLSearchParams;
  /** Null where this tab has begun no such sign-in. */
  readonly pending: PendingSignIn | null;
}

const KEY = `dynamic-query-sign-in ${new URL('.', location.href).pathname}`;

/** Keeps what the reply will be held against. The page itself does not outlive the redirect. */
export function keepPending(pending: PendingSignIn): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending));
}

/**
 * Takes the reply of the provider out of the address, which then has the view again, and what was
 * kept for it out of the storage. Null where the address has none.
 */
export function takeReply(): AuthorizationReply | null {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const parameters = new URLSearchParams(location.search);
  const state = parameters.get('state');
  if (state === null || !(parameters.has('code') || parameters.has('error'))) return null;
  const last = JSON.parse(kept ?? 'null') as PendingSignIn | null;
  const pending = last?.state === state ? last : null;
  history.replaceState(null, '', location.pathname + (pending?.search ?? ''));
  return { parameters, pending };
}
