import type { DatabaseSession } from '@proj/engine';

import { roleOf, type Roles, sessionRoles } from '../settings/roles.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { claimOf, type Claims, isExact, namedClaim } from './row-claims.ts';

/** Names all claims of a token, as one JSON text. */
const ALL_CLAIMS = '$claims';

/** Claims that differ between tokens of one caller, and say nothing of the caller. */
const OF_ONE_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti']);

/** U+0000 and halves of characters, also as JSON escapes them: PostgreSQL has no such texts. */
const NO_TEXT = /\0|\\u(?:0000|d[89a-f][\da-f]{2})/i;

/**
 * Undefined: as the service. Sets each setting of any role, so that none keeps another's value.
 *
 * @throws {HttpProblem} `claim_missing` where a claim is missing, or is none for the database
 */
export function sessionOf(roles: Roles, role: string, claims: Claims): DatabaseSession | undefined {
  const session = roleOf(roles, role)?.database_session;
  if (session === undefined) return undefined;
  const names = sessionRoles(roles).flatMap(({ settings }) => settings);
  const given = new Map(Object.entries(session.settings));
  const values = [...new Set(names)].toSorted().map((name): [string, string] => {
    const value = given.get(name);
    return [name, value === undefined ? '' : textOf(value, claims)];
  });
  return { role: session.role, settings: Object.fromEntries(values), trusts: session.trusts };
}

/** @throws {HttpProblem} as {@link sessionOf} */
function textOf(value: string, claims: Claims): string {
  const named = namedClaim(value);
  if (value !== ALL_CLAIMS && named === undefined) return value;
  const claim =
    named === undefined
      ? Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_ONE_TOKEN.has(name)))
      : claimOf(claims, named);
  const name = value.replace('$', '');
  if (claim === undefined || claim === null)
    throw new HttpProblem('claim_missing', `The token lacks ${name}.`);
  if (!isExact(claim))
    throw new HttpProblem(
      'claim_missing',
      `A number in ${name} of the token is too large to be read exactly. Write it as a text there.`,
    );
  const text = typeof claim === 'string' ? claim : JSON.stringify(claim);
  if (!text.isWellFormed() || NO_TEXT.test(text))
    throw new HttpProblem('claim_missing', `The database cannot hold ${name} of the token.`);
  return text;
}
