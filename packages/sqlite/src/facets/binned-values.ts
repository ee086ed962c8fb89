import { type Clauses, Facets } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { comparedDate } from '../values/dates.ts';
import { encode, encodeComparedDate } from '../values/encode.ts';
import { asNumber } from './facet-numbers.ts';

type Expression = RawBuilder<unknown>;

/** A value as it is compared, and as it is stored. */
export const [VALUE, STORED] = [sql.id('x'), sql.id('v')];

/** The bin of a group, and its number of records. */
export const [BIN, COUNT] = [sql.id('b'), sql.id('n')];

/** The least and the greatest value. */
export const [LEAST, GREATEST] = [sql.id('lo'), sql.id('hi')];

/**
 * The values of the records of a facet.
 *
 * The limit keeps SQLite from computing a form of dates again wherever it occurs.
 */
export function valuesOf(facet: Clauses['bins']): Expression {
  const { column, field } = facet;
  const { type, storedAs } = field;
  if (storedAs !== undefined) {
    const value = comparedDate(column, { type, storedAs });
    return sql`(select ${value} as ${VALUE} ${Facets.recordsOf(facet)} limit -1)`;
  }
  const value = type === 'decimal' ? asNumber(column) : column;
  return sql`(select ${value} as ${VALUE}, ${column} as ${STORED} ${Facets.recordsOf(facet)})`;
}

/** A value as an argument of `json_array`. */
export function shown(value: Expression, { field }: Clauses['bins']): Expression {
  return field.storedAs === undefined
    ? encode(value, field)
    : encodeComparedDate(value, field.type);
}

/** What both statements of bins count in the same way, of the groups of the facet. */
export function binCounts({
  groups,
}: Clauses['bins']): Record<'found' | 'nulls' | 'others' | 'total', Expression> {
  const pair = sql`json_array(${BIN}, cast(${COUNT} as text))`;
  return {
    found: sql`(select json_group_array(${pair}) from ${groups} where ${BIN} > 0)`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is null), 0)`,
    others: sql`coalesce(sum(${COUNT}) filter (where ${BIN} = 0), 0)`,
    total: sql`coalesce(sum(${COUNT}), 0)`,
  };
}
