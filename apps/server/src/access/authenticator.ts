import { type Catalogue, EVERYTHING, type Grant } from '@proj/engine';
import type { Principal } from '@proj/fastify/host';
import {
  type Claims,
  makeGrant,
  roleOf,
  type Roles,
  type RoleSettings,
  seesDataVersion,
} from '@proj/fastify/settings';

import type { Settings } from '../settings/schema.ts';
import type { JwtVerifier } from './jwt/jwt.ts';
import type { OnRefusal } from './refusals.ts';
import { TokenRegister } from './tokens.ts';

/**
 * The tokens, roles and issuers by which callers are authenticated. They are replaced as a whole
 * when settings are applied.
 */
export interface AccessRules {
  readonly roles: Roles;
  readonly tokens: TokenRegister;
  readonly jwt: JwtVerifier | undefined;
}

/**
 * The access rules of some settings. `jwt` verifies the tokens of their `jwt` issuers; `adminToken`
 * may read everything, and is undefined where there is none.
 */
export function accessRules(
  { roles, tokens }: Pick<Settings, 'roles' | 'tokens'>,
  adminToken: string | undefined,
  jwt: JwtVerifier | undefined,
): AccessRules {
  return { roles, tokens: new TokenRegister(tokens, adminToken), jwt };
}

/** The name, role and claims of a token, from its entry in the settings or from its issuer. */
interface Identity {
  readonly name: string;
  readonly role: string;
  readonly claims: Claims;
  /** Undefined for a token of the settings. */
  readonly issuer?: string;
}

/** A grant with the catalogue that it was checked against. */
interface CheckedGrant {
  readonly catalogue: Catalogue;
  readonly grant: Grant;
}

/**
 * Finds who a token stands for, by the rules and over the catalogue that are in force at that
 * moment.
 */
export class Authenticator {
  readonly #served: { readonly catalogue: Catalogue };
  readonly #onRefusal: OnRefusal;
  #rules: AccessRules;
  /**
   * The grant of each identity, computed once for the current rules and catalogue, and dropped with
   * its identity.
   */
  #grants = new WeakMap<Identity, CheckedGrant>();

  /**
   * @param served the engine, for its catalogue
   * @param onRefusal hears of tokens that are none of the settings; of JWTs the verifier's own does
   */
  constructor(
    served: { readonly catalogue: Catalogue },
    rules: AccessRules,
    onRefusal: OnRefusal = () => undefined,
  ) {
    this.#served = served;
    this.#rules = rules;
    this.#onRefusal = onRefusal;
  }

  /** The rules in force. */
  get rules(): AccessRules {
    return this.#rules;
  }

  /** Puts other rules in force. A verifier that they do not take over is closed. */
  replace(rules: AccessRules): void {
    if (rules.jwt !== this.#rules.jwt) this.#rules.jwt?.close();
    this.#rules = rules;
    this.#grants = new WeakMap();
  }

  /**
   * Who a token stands for; undefined when it is not valid, for whatever reason.
   *
   * @throws {AccessError} `forbidden` when it is valid and its role lets it see nothing,
   *   `claim_missing` when it lacks what the database has to know, `auth_unavailable` when that
   *   cannot be decided.
   */
  async authenticate(token: string): Promise<Principal | undefined> {
    const identity = await this.#identify(token);
    if (identity === undefined || identity === 'admin') return identity && ADMIN;
    const principal = this.#principal(identity);
    // Computes the grant now, so that a token which may see nothing is refused before the body is
    // read.
    void principal.grant;
    return principal;
  }

  close(): void {
    this.#rules.jwt?.close();
  }

  async #identify(token: string): Promise<Identity | 'admin' | undefined> {
    const { tokens, jwt } = this.#rules;
    const known = tokens.find(token);
    if (known !== undefined && known !== 'expired') return known;
    if (jwt?.looksLikeJwt(token) === true) return jwt.verify(token);
    this.#onRefusal({ reason: known ?? 'unknown token' });
    return undefined;
  }

  #principal(identity: Identity): Principal {
    const grantNow = (): Grant => this.#grantOf(identity);
    const { name, role, issuer } = identity;
    const settings = roleOf(this.#rules.roles, role);
    return {
      name,
      id: JSON.stringify([issuer ?? null, name]),
      role,
      usesReplicas: settings?.replicas === 'allowed',
      session: settings?.database_session && sessionNames(settings.database_session),
      hidesDataVersion: settings !== undefined && !seesDataVersion(settings),
      get grant() {
        return grantNow();
      },
    };
  }

  #grantOf(identity: Identity): Grant {
    const { catalogue } = this.#served;
    const known = this.#grants.get(identity);
    if (known?.catalogue === catalogue) return known.grant;
    const grant = makeGrant(identity, this.#rules.roles, catalogue);
    this.#grants.set(identity, { catalogue, grant });
    return grant;
  }
}

/** Whoever holds the admin token. */
const ADMIN: Principal = Object.freeze({
  name: 'DYNAMIC_QUERY_ADMIN_TOKEN',
  id: 'admin',
  role: null,
  grant: EVERYTHING,
});

function sessionNames({
  role,
  settings,
}: NonNullable<RoleSettings['database_session']>): Principal['session'] {
  return { role, settings: Object.keys(settings) };
}
