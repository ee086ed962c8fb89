import type { Dialect, Expression, Field } from '@proj/engine/database';
import { sql } from 'kysely';

/** Nondeterministic collations, `citext`, `character(n)` with blanks, types that truncate. */
export function isInexact({ databaseType }: Pick<Field, 'databaseType'>): boolean {
  return / collate |^(.*\.)?citext$|^character\b(?! varying)|^(bpchar|name|"char")$/.test(
    databaseType,
  );
}

export function exact(column: Expression): Expression {
  return sql`${column}::text collate "C"`;
}

export const textIsOneOf: Dialect['textIsOneOf'] = (column, values, field) => {
  const [first] = values;
  const equals = (text: Expression, type: Expression): Expression =>
    values.length === 1 ? sql`${text} = ${first}${type}` : sql`${text} = any(${values}${type})`;
  if (!isInexact(field)) return equals(column, sql``);
  // The column's own equality finds more than the exact one, and may use an index.
  const type = values.length === 1 ? sql`::text` : sql`::text[]`;
  return sql`${equals(column, sql``)} and ${equals(exact(column), type)}`;
};

export const textMatches: Dialect['textMatches'] = (column, { value, at, ignoreCase }, field) => {
  if (at === 'whole') return equalsInAnyCase(column, value, field);
  const escaped = value.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = { start: `${escaped}%`, end: `%${escaped}`, anywhere: `%${escaped}%` }[at];
  if (!isInexact(field)) return sql`${column} ${sql.raw(ignoreCase ? 'ilike' : 'like')} ${pattern}`;
  if (!ignoreCase) return sql`${exact(column)} like ${pattern}`;
  // `ilike` refuses nondeterministic collations. The pattern changes case by the column's rules.
  return sql`lower(${column}::text) collate "C" like ${lowered(pattern, field)} collate "C"`;
};

/** Served by an index over `lower(…)` under the column's collation, or one of a `citext`. */
function equalsInAnyCase(column: Expression, value: string, field: Field): Expression {
  if (field.databaseType === 'citext') return sql`${column} = ${value}`;
  const wanted = lowered(value, field);
  if (!isInexact(field)) return sql`lower(${column}) = ${wanted}`;
  const isExact = sql`lower(${column}::text) collate "C" = ${wanted} collate "C"`;
  const isText = field.databaseType.includes(' collate ');
  return isText ? sql`lower(${column}) = ${wanted} and ${isExact}` : isExact;
}

function lowered(value: string, { databaseType, collation }: Field): Expression {
  const own = databaseType === 'name' ? '"C"' : collation;
  const collate = own === undefined ? sql`` : sql` collate ${sql.raw(own)}`;
  return sql`lower(${value}::text${collate})`;
}
