import type { AuthorizationServer } from 'oauth4webapi';

/** How the service lets people sign in by OpenID Connect, as the page was sent with it. */
export interface SignInOffer {
  readonly issuer: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  /** Whom access tokens must be meant for: one of these. */
  readonly audience: readonly string[];
  /** What the provider says of itself; null where the service could not read it yet. */
  readonly provider: AuthorizationServer | null;
}

/** An offer whose provider is known. */
export type OpenOffer = SignInOffer & { readonly provider: AuthorizationServer };

/** Null where the service offers none. */
export const signInOffer = JSON.parse(
  document.querySelector('meta[name="sign-in"]')?.getAttribute('content') ?? 'null',
) as SignInOffer | null;
