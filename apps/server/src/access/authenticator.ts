import { type Catalogue, EVERYTHING } from '@proj/engine';

import { HttpProblem } from '../http/problems.ts';
import type { Settings } from '../settings/schema.ts';
import type { JwtVerifier } from './jwt.ts';
import { grantOfRole } from './roles.ts';
import type { Claims } from './row-claims.ts';
import { findToken, type KnownToken, knownToken, type Principal } from './tokens.ts';

/** A token as a settings entry or an issuer vouches for it. */
interface Identity {
  readonly name: string;
  readonly role: string;
  readonly claims: Claims;
  /** Undefined for a token of the settings. */
  readonly issuer?: string;
}

/** What tells who asks. It is replaced as a whole when the settings change. */
export interface AccessRules {
  readonly roles: Settings['roles'];
  readonly tokens: readonly KnownToken[];
  readonly jwt: JwtVerifier | undefined;
}

/** The rules that the settings make, and a token that may read everything, where there is one. */
export function accessRules(
  { roles, tokens }: Settings,
  everything: string | undefined,
  jwt: JwtVerifier | undefined,
): AccessRules {
  const own = everything === undefined ? [] : [knownToken(everything)];
  const handedOut = tokens.map(({ sha256, ...token }) => ({ sha256: Buffer.from(sha256, 'hex'), token }));
  return { roles, tokens: [...own, ...handedOut], jwt };
}

/**
 * Who a token stands for; undefined when it is not valid, for whatever reason.
 *
 * @throws {HttpProblem} `forbidden` when it is valid and its role lets it see nothing, `auth_unavailable` when that cannot be told.
 */
export async function authenticate(token: string, rules: AccessRules, catalogue: Catalogue): Promise<Principal | undefined> {
  const known = findToken(rules.tokens, token);
  if (known !== undefined) return known.token === undefined ? OPERATOR : principal(known.token, rules, catalogue);
  if (rules.jwt?.looksLikeJwt(token) !== true) return undefined;
  const verified = await rules.jwt.verify(token);
  return verified && principal(verified, rules, catalogue);
}

/** Whoever holds the token of the settings, which may read everything. */
const OPERATOR: Principal = Object.freeze({ name: 'DYNAMIC_QUERY_TOKEN', id: 'operator', role: null, grant: EVERYTHING });

/** Identities live as long as their token is known, and what they may see changes only with the rules or the catalogue. */
const PRINCIPALS = new WeakMap<Identity, { rules: AccessRules; catalogue: Catalogue; principal: Principal }>();

function principal(identity: Identity, rules: AccessRules, catalogue: Catalogue): Principal {
  const known = PRINCIPALS.get(identity);
  if (known?.rules === rules && known.catalogue === catalogue) return known.principal;
  const made = makePrincipal(identity, rules, catalogue);
  PRINCIPALS.set(identity, { rules, catalogue, principal: made });
  return made;
}

function makePrincipal({ name, role, claims, issuer }: Identity, { roles }: AccessRules, catalogue: Catalogue): Principal {
  const settings = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (settings === undefined) throw new HttpProblem('forbidden', 'The token has no role here.');
  const granted = grantOfRole(settings, claims, catalogue);
  if (!granted.ok) throw new HttpProblem('forbidden', granted.reason);
  return { name, id: JSON.stringify([issuer ?? null, name]), role, grant: granted.grant };
}
