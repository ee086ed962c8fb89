import { type RawBuilder, sql } from 'kysely';

import type { DefinedRelation } from '../../../sql/dialect.ts';
import { oneLine, sqlBlock } from '../../text/sql-block.ts';
import { isPlain, isPlainWithMembers, WITHOUT_CITUS } from './plain-relation.ts';
import { quoted } from '../values/identifier.ts';
import { textLiteral } from '../values/text-literal.ts';

type Expression = RawBuilder<unknown>;

/** The definition of a plain table that shows no rows of others. */
export const ALONE = 'alone';

/** That of a plain table whose members are plain. */
export const WITH_MEMBERS = 'with members';

/**
 * What a relation `c` that a view reads, and the view itself, has to stay like for its rows to have
 * a version, beginning with its number: a view its rule `r`, a table a table of this server that
 * shows its rows to everybody alike and has no others below it.
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
 * A version of the data while a relation is proven to be defined as it was; NULL from the moment at
 * which it is not. The rows and the definition are of one snapshot: reading a relation locks it
 * against changes before the snapshot is taken.
 */
export function whileDefined(proof: string, version: Expression): Expression {
  return sqlBlock`
    case when ${sql.raw(`${WITHOUT_CITUS} and ${proof}`)} then ${version} end`;
}

/** Whether the relation of a name is defined as it was, as SQL. */
export function proofOf({ path, definition }: DefinedRelation): string {
  // Found by the parser as the relation itself is, and a constant for the planner.
  return isDefined(definition, `${textLiteral(path.map(quoted).join('.'))}::regclass`);
}

function isDefined(definition: string, id: string): string {
  if (definition === ALONE) return isPlain(id);
  if (definition === WITH_MEMBERS) return isPlainWithMembers(id);
  const numbers = definition.split(',').map(numberOf).join(', ');
  const states = oneLine(`
    select string_agg(${RELATION_STATE}, ',' order by c.oid)
    from ${RELATION_RULE}
    where c.oid in (${numbers})
  `);
  return `${id} in (${numbers}) and (${states}) = ${textLiteral(definition)}`;
}

function numberOf(state: string): number {
  return Number.parseInt(state, 10);
}
