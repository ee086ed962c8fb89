import type { ExplorerFacts } from '@proj/fastify/host';

import { sameSettings } from '../../settings/restart.ts';
import type { Settings } from '../../settings/schema.ts';
import { IdentityProvider, type ProviderParts } from './identity-provider.ts';
import type { ProviderDocument } from './provider-document.ts';

export interface SignInOffer {
  readonly issuer: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly audience: readonly string[];
  /** Null where it could not be read yet. */
  readonly provider: ProviderDocument | null;
}

/** What the explorer offers to sign in with, by the current settings. */
export class ExplorerSignIn {
  readonly #parts: ProviderParts;
  #settings: Pick<Settings, 'oidc' | 'jwt'>;
  #provider: IdentityProvider | undefined;

  constructor(settings: Pick<Settings, 'oidc' | 'jwt'>, parts: ProviderParts) {
    this.#parts = parts;
    this.#settings = settings;
    this.#open();
  }

  apply(settings: Pick<Settings, 'oidc' | 'jwt'>): void {
    const isSame = sameSettings(settings.oidc, this.#settings.oidc);
    this.#settings = settings;
    if (isSame) return;
    this.close();
    this.#open();
  }

  async offer(): Promise<SignInOffer | undefined> {
    const provider = this.#provider;
    const document = await provider?.document();
    const { oidc, jwt } = this.#settings;
    if (oidc === undefined) return undefined;
    const audience = jwt.find(({ issuer }) => issuer === oidc.issuer)?.audience ?? [];
    // Settings may have changed while it was read.
    const isOf = provider === this.#provider;
    return { ...oidc, audience: [audience].flat(), provider: (isOf && document) || null };
  }

  close(): void {
    this.#provider?.close();
  }

  #open(): void {
    const { oidc } = this.#settings;
    this.#provider = oidc && new IdentityProvider(oidc.issuer, this.#parts);
  }
}

/** What the page has to know to sign in so. */
export function explorerFacts(offer: SignInOffer | undefined): ExplorerFacts {
  if (offer === undefined) return { meta: {} };
  const tokens = offer.provider?.token_endpoint;
  return {
    meta: { 'sign-in': JSON.stringify(offer) },
    asked: tokens === undefined ? [] : [sourceOf(tokens)],
  };
}

/** An address as a source of a policy: without a query and what ends a source. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
