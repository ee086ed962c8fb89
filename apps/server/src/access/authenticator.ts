import { type Catalogue, EVERYTHING, type Grant } from '@proj/engine';
import type { Principal } from '@proj/fastify/host';
import {
  type Claims,
  KeptGrants,
  makeGrant,
  principalFor,
  type Roles,
} from '@proj/fastify/settings';

import { after, type Soon } from '../soon.ts';
import type { Settings } from '../settings/schema.ts';
import type { JwtVerifier } from './jwt/jwt.ts';
import type { OnRefusal } from './refusals.ts';
import { TokenRegister } from './tokens.ts';

/** Tokens, roles and issuers that authenticate callers; applied settings replace them all. */
export interface AccessRules {
  readonly roles: Roles;
  readonly tokens: TokenRegister;
  readonly jwt: JwtVerifier | undefined;
}

export function accessRules(
  { roles, tokens }: Pick<Settings, 'roles' | 'tokens'>,
  adminToken: string | undefined,
  jwt: JwtVerifier | undefined,
): AccessRules {
  return { roles, tokens: new TokenRegister(tokens, adminToken), jwt };
}

interface Identity {
  readonly name: string;
  readonly role: string;
  readonly claims: Claims;
  readonly issuer?: string;
}

/** Finds who a token stands for, by the current rules and catalogue. */
export class Authenticator {
  readonly #served: { readonly catalogue: Catalogue };
  readonly #onRefusal: OnRefusal;
  rules: AccessRules;
  /** By the current rules; dropped with its identity. */
  #principals = new WeakMap<Identity, Principal>();
  readonly #kept = new KeptGrants(() => {
    this.#principals = new WeakMap();
  });

  /**
   * @param onRefusal called for tokens that are neither listed nor JWTs, which report themselves
   */
  constructor(
    served: { readonly catalogue: Catalogue },
    rules: AccessRules,
    onRefusal: OnRefusal = () => undefined,
  ) {
    this.#served = served;
    this.rules = rules;
    this.#onRefusal = onRefusal;
  }

  /** Closes a verifier that the new rules do not take over. */
  replace(rules: AccessRules): void {
    if (rules.jwt !== this.rules.jwt) this.rules.jwt?.close();
    this.rules = rules;
    this.#principals = new WeakMap();
  }

  /**
   * Undefined when the token is not valid, for whatever reason.
   *
   * @throws {HttpProblem} `forbidden` when it is valid and its role lets it see nothing,
   *   `claim_missing` when it lacks a claim that the database needs, `auth_unavailable` when that
   *   cannot be decided.
   */
  authenticate(token: string): Soon<Principal | undefined> {
    return after(this.#identify(token), (identity) => {
      if (identity === undefined || identity === 'admin') return identity && ADMIN;
      const principal = this.#principals.get(identity) ?? this.#principalOf(identity);
      // Its role may let it see nothing.
      void principal.grant;
      return principal;
    });
  }

  close(): void {
    this.rules.jwt?.close();
  }

  #identify(token: string): Soon<Identity | 'admin' | undefined> {
    const { tokens, jwt } = this.rules;
    const known = tokens.find(token);
    if (known !== undefined && known !== 'expired') return known;
    if (jwt?.looksLikeJwt(token) === true) return jwt.verify(token);
    this.#onRefusal({ reason: known ?? 'unknown token' });
    return undefined;
  }

  #principalOf(identity: Identity): Principal {
    const { name, role, issuer } = identity;
    const caller = { id: JSON.stringify([issuer ?? null, name]), name, role };
    let checked: { catalogue: Catalogue; roles: Roles; grant: Grant } | undefined;
    const principal = principalFor(caller, this.rules.roles, () => {
      const { catalogue } = this.#served;
      const { roles } = this.rules;
      if (checked?.catalogue !== catalogue || checked.roles !== roles) {
        checked = { catalogue, roles, grant: makeGrant(identity, roles, catalogue) };
        this.#kept.count(checked.grant);
      }
      return checked.grant;
    });
    this.#principals.set(identity, principal);
    return principal;
  }
}

const ADMIN: Principal = Object.freeze({
  name: 'DYNAMIC_QUERY_ADMIN_TOKEN',
  id: 'admin',
  role: null,
  grant: EVERYTHING,
});
