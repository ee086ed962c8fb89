import type { Catalogue, Grant } from '@proj/engine';

import { sessionOf } from './database-session.ts';
import { AccessError } from './errors.ts';
import { grantOfRole, type Roles } from './roles.ts';
import type { Claims } from './row-claims.ts';

interface RoleBearer {
  readonly role: string;
  readonly claims: Claims;
}

/**
 * What a token of a role with these claims may see.
 *
 * @throws {AccessError} `forbidden` when there is no such role, or the claims do not fit it;
 *   `claim_missing` when the database needs one that is missing
 */
export function makeGrant({ role, claims }: RoleBearer, roles: Roles, catalogue: Catalogue): Grant {
  const settings = roleOf(roles, role);
  if (settings === undefined) throw new AccessError('forbidden', 'The caller has no role here.');
  const session = sessionOf(roles, role, claims);
  const granted = grantOfRole(settings, { claims, session }, catalogue);
  if (!granted.ok) throw new AccessError('forbidden', granted.reason);
  return granted.grant;
}

export function roleOf(roles: Roles, name: string): Roles[string] | undefined {
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}
