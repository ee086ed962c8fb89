import type { Filter } from '@proj/contract';
import {
  type Catalogue,
  type DatabaseSession,
  EVERYTHING,
  Grant,
  type ModelGrant,
  rowPolicyErrors,
} from '@proj/engine';

import type { ModelGrantSettings, RoleSettings } from '../settings/roles.ts';
import { type Claims, withClaims } from './row-claims.ts';

export type Roles = Readonly<Record<string, RoleSettings>>;

/** What a token may see, or why it may see nothing. */
export type RoleGrant =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly reason: string };

/** The data version changes also with writes to rows that the role hides. */
export function seesDataVersion({
  models,
  database_session: session,
  data_version: chosen,
}: RoleSettings): boolean {
  if (chosen !== undefined) return chosen;
  if (session !== undefined) return false;
  return models === 'all' || Object.values(models).every(({ rows }) => rows === undefined);
}

export interface Asking {
  readonly claims: Claims;
  readonly session?: DatabaseSession | undefined;
}

/** Nothing without a claim that a row filter needs: a token must not see the rows of others. */
export function grantOfRole(
  { models }: RoleSettings,
  { claims, session }: Asking,
  catalogue: Catalogue,
): RoleGrant {
  if (models === 'all') {
    const grant = session === undefined ? EVERYTHING : new Grant('all', session);
    return { ok: true, grant };
  }
  const granted = new Map<string, ModelGrant>();
  for (const [name, settings] of Object.entries(models)) {
    const { rows, missing } = withClaims(settings.rows, claims);
    if (missing.length > 0)
      return { ok: false, reason: `The token lacks ${missing.join(', ').replaceAll('$', '')}.` };
    const model = catalogue.get(name);
    if (rows !== undefined && rowPolicyErrors(rows, model).length > 0) {
      return { ok: false, reason: 'A claim of the token is not of the type that its role needs.' };
    }
    granted.set(name, modelGrant(settings, rows));
  }
  return { ok: true, grant: new Grant(granted, session) };
}

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
