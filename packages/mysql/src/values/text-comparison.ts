import type { Clauses, Expression, Field } from '@proj/engine/database';
import { sql } from 'kysely';

import { bytesOf, inCharset } from './operands.ts';

/** Unlike a backslash, which only some servers take as an escape. */
const ESCAPE = '|';

/** The first comparison follows the column's collation and can use an index. */
export function textIsOneOf(
  column: Expression,
  values: readonly string[],
  field: Field,
): Expression {
  const alike = values.map((value) => inCharset(value, field));
  const exact = values.map((value) => sql`cast(${value} as binary)`);
  return sql`(${column} in (${sql.join(alike)}) and ${bytesOf(column)} in (${sql.join(exact)}))`;
}

/** `lower` follows one collation, whichever the column has. */
export function textMatches(
  column: Expression,
  { value, at, ignoreCase }: Clauses['textMatch'],
  field: Field,
): Expression {
  if (at === 'whole') {
    const same = sql`${lowered(column)} = ${lowered(sql`${value}`)}`;
    return findsAllCases(value, field) ? sql`(${column} = ${value} and ${same})` : same;
  }
  const pattern = patternOf(value, at);
  if (ignoreCase) return like(lowered(column), lowered(sql`${pattern}`));
  const exact = like(bytesOf(column), sql`cast(${pattern} as binary)`);
  return at === 'start' ? sql`(${like(column, inCharset(pattern, field))} and ${exact})` : exact;
}

function lowered(text: Expression): Expression {
  return sql`cast(lower(convert(${text} using utf8mb4)) as binary)`;
}

/** Collations that ignore case, except of letters added to Unicode later. */
const ANY_CASE = /^utf8mb4_(0900_ai|general|unicode|unicode_520|uca1400_ai)_ci$/;

/** A letter whose case is not in every version of Unicode. */
const NEW_LETTER = /(?![\0-\xde\xe0-\u017f\u0386-\u03ce\u0400-\u0481])\p{CWCM}/u;

/** One collation does not treat the signs of Kelvin, ångström, ohm and theta as letters. */
export function findsAllCases(value: string, { collation = '' }: Field): boolean {
  if (collation === 'utf8mb4_general_ci' && /[kåωθ]/iu.test(value)) return false;
  return ANY_CASE.test(collation) && !NEW_LETTER.test(value);
}

export function like(text: Expression, pattern: Expression): Expression {
  return sql`${text} like ${pattern} escape ${sql.lit(ESCAPE)}`;
}

export function patternOf(value: string, at: Clauses['textMatch']['at']): string {
  const escaped = value.replace(/[|%_]/g, (character) => ESCAPE + character);
  return `${at === 'start' ? '' : '%'}${escaped}${at === 'end' ? '' : '%'}`;
}
