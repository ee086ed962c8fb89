import type { Filter } from '@proj/contract';
import { type Catalogue, EVERYTHING, Grant, type ModelGrant, rowPolicyErrors } from '@proj/engine';

import { type ModelGrantSettings, roleOf, type Roles } from '../settings/roles.ts';
import { sessionOf } from './database-session.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import type { Principal } from '../endpoint/ask.ts';
import { type Claims, withClaims } from './row-claims.ts';

/** @throws {HttpProblem} where the caller may see nothing, before anything else is read */
export function principalFor(
  caller: Pick<Principal, 'id' | 'name' | 'role'>,
  roles: Roles,
  grantNow: () => Grant,
): Principal {
  const settings = caller.role === null ? undefined : roleOf(roles, caller.role);
  const { database_session: session, replicas } = settings ?? {};
  void grantNow();
  return {
    ...caller,
    usesReplicas: replicas === 'allowed',
    session: session && { role: session.role, settings: Object.keys(session.settings) },
    hidesDataVersion: settings !== undefined && !seesDataVersion(settings),
    get grant() {
      return grantNow();
    },
  };
}

/** The data version changes also with writes to rows that the role hides. */
export function seesDataVersion({
  models,
  database_session: session,
  data_version: chosen,
}: Roles[string]): boolean {
  if (chosen !== undefined) return chosen;
  if (session !== undefined) return false;
  return models === 'all' || Object.values(models).every(({ rows }) => rows === undefined);
}

/**
 * Nothing without a claim that a row filter needs, lest it show the rows of others.
 *
 * @throws {HttpProblem} `forbidden` without such a role, or where the claims do not fit it;
 *   `claim_missing` where the database needs one
 */
export function makeGrant(
  { role, claims }: { readonly role: string; readonly claims: Claims },
  roles: Roles,
  catalogue: Catalogue,
): Grant {
  const { models } = roleOf(roles, role) ?? {};
  if (models === undefined) throw new HttpProblem('forbidden', 'The caller has no role here.');
  const session = sessionOf(roles, role, claims);
  if (models === 'all') return session === undefined ? EVERYTHING : new Grant('all', session);
  const granted = new Map<string, ModelGrant>();
  for (const [name, settings] of Object.entries(models)) {
    const { rows, missing } = withClaims(settings.rows, claims);
    if (missing.length > 0) {
      const lacking = missing.join(', ').replaceAll('$', '');
      throw new HttpProblem('forbidden', `The token lacks ${lacking}.`);
    }
    if (rows !== undefined && rowPolicyErrors(rows, catalogue.get(name)).length > 0)
      throw new HttpProblem('forbidden', OTHER_TYPE);
    granted.set(name, modelGrant(settings, rows));
  }
  return new Grant(granted, session);
}

const OTHER_TYPE = 'A claim of the token is not of the type that its role needs.';

function modelGrant(
  { attributes, max_page_size: maxPageSize }: ModelGrantSettings,
  rows: unknown,
): ModelGrant {
  return {
    attributes: attributes === 'all' ? 'all' : new Set(attributes),
    ...(maxPageSize !== undefined && { maxPageSize }),
    // Checked before; the grant reads it.
    ...(rows !== undefined && { rowPolicy: rows as Filter }),
  };
}
