import type { Clauses, Field } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { bytesOf, inCharset } from './operands.ts';

type Expression = RawBuilder<unknown>;

/**
 * Never part of a pattern by accident, unlike a backslash, which some servers take for an escape
 * and others do not.
 */
const ESCAPE = '|';

/**
 * The first comparison follows the column's collation, and so can use an index; it lets through
 * whatever the second would.
 */
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
  const pattern = patternOf(value, at);
  if (ignoreCase)
    return like(
      sql`cast(lower(convert(${column} using utf8mb4)) as binary)`,
      sql`cast(lower(convert(${pattern} using utf8mb4)) as binary)`,
    );
  const exact = like(bytesOf(column), sql`cast(${pattern} as binary)`);
  return at === 'start' ? sql`(${like(column, inCharset(pattern, field))} and ${exact})` : exact;
}

function like(text: Expression, pattern: Expression): Expression {
  return sql`${text} like ${pattern} escape ${sql.lit(ESCAPE)}`;
}

function patternOf(value: string, at: Clauses['textMatch']['at']): string {
  const escaped = value.replace(/[|%_]/g, (character) => ESCAPE + character);
  return `${at === 'start' ? '' : '%'}${escaped}${at === 'end' ? '' : '%'}`;
}
