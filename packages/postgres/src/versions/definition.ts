import { type Clauses, oneLine, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { isPlain, isPlainWithMembers, WITHOUT_CITUS } from '../states/plain-relation.ts';
import { isPoliced, isPolicedSo } from './policed-definition.ts';
import { numbersOf, RELATION_RULE, RELATION_STATE } from '../states/relation-state.ts';
import { quoted } from '../values/identifier.ts';
import { textLiteral } from '../values/text-literal.ts';

type Expression = RawBuilder<unknown>;

/** The definition of a plain table that shows no rows of others. */
export const ALONE = 'alone';

/** That of a plain table whose members are plain. */
export const WITH_MEMBERS = 'with members';

/**
 * The definition of a view.
 *
 * @param states those of the view and of all that is below it, in the order of their numbers
 */
export function definitionOf(states: readonly string[]): string {
  return states.join(',');
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
export function proofOf({ path, definition }: Clauses['defined']): string {
  // Found by the parser as the relation itself is, and a constant for the planner.
  return isDefined(definition, `${textLiteral(path.map(quoted).join('.'))}::regclass`);
}

function isDefined(definition: string, id: string): string {
  if (isPoliced(definition)) return isPolicedSo(definition, id);
  if (definition === ALONE) return isPlain(id);
  if (definition === WITH_MEMBERS) return isPlainWithMembers(id);
  const numbers = numbersOf(definition.split(','));
  const states = oneLine(`
    select string_agg(${RELATION_STATE}, ',' order by c.oid)
    from ${RELATION_RULE}
    where c.oid in (${numbers})
  `);
  return `${id} in (${numbers}) and (${states}) = ${textLiteral(definition)}`;
}
