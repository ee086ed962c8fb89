import { type RawBuilder, sql } from 'kysely';

import { sqlBlock } from '../sql-block.ts';

type Expression = RawBuilder<unknown>;

/**
 * What a relation `c` has to stay like for its rows to have a version, beginning with its number:
 * a view its rule `r`, a table a table of this server that shows its rows to everybody alike and
 * has no others below it.
 */
export const RELATION_STATE = `concat_ws(
  ' ', c.oid, c.relkind, c.relrowsecurity, c.relhassubclass, c.relam, r.oid, r.xmin
)`;

/** The rule of a view, where `c` is one. */
export const RELATION_RULE = `pg_class c
left join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'`;

/** The states of a view and of all that is below it, in the order of their numbers. */
export function definitionOf(states: readonly string[]): string {
  return [...new Set(states)].toSorted((a, b) => numberOf(a) - numberOf(b)).join(',');
}

/**
 * A version of the data while a view is defined as it was; NULL from the moment at which it is
 * not. The rows and the definition are of one snapshot: reading a view locks it against changes
 * before the snapshot is taken.
 */
export function whileDefined(definition: string, version: Expression): Expression {
  const numbers = definition.split(',').map(numberOf);
  return sqlBlock`
    case
      when (
        select string_agg(${sql.raw(RELATION_STATE)}, ',' order by c.oid)
        from ${sql.raw(RELATION_RULE)}
        where c.oid in (${sql.raw(numbers.join(', '))})
      ) = ${sql.lit(definition)}
      then ${version}
    end`;
}

function numberOf(state: string): number {
  return Number.parseInt(state, 10);
}
