import { type Clauses, type Expression, oneLine, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import {
  allMembersAre,
  functionStates,
  IS_ORDINARY,
  IS_PLAIN,
  isPlain,
  numbersOf,
  RELATION_RULE,
  RELATION_STATE,
  relationState,
  WITHOUT_CITUS,
} from '../states/relation-state.ts';
import { roleState } from '../states/version.ts';
import { quotedPath, textLiteral } from '../values/sql-text.ts';

export const ALONE = 'alone';

export const WITH_MEMBERS = 'with members';

/** Reading locks the relation before the snapshot, so rows and definition are of one snapshot. */
export function whileDefined(proof: string, version: Expression): Expression {
  return sqlBlock`
    case when ${sql.raw(`${WITHOUT_CITUS} and ${proof}`)} then ${version} end`;
}

/** SQL: whether the named relation is defined as it was. */
export function proofOf({ path, definition }: Clauses['defined']): string {
  // Found by the parser like the relation itself, and a constant for the planner.
  const id = `${textLiteral(quotedPath(path))}::regclass`;
  if (definition.startsWith('[')) return isPolicedSo(definition, id);
  if (definition === ALONE) return isPlain(id);
  if (definition === WITH_MEMBERS) return allMembersAre(id, IS_PLAIN);
  return areRelations(definition.split(','), id, RELATION_STATE);
}

/** SQL: whether a relation is one of those that have the states, as all of them have. */
function areRelations(states: readonly string[], id: string, state: string): string {
  const numbers = numbersOf(states);
  const found = oneLine(`
    select string_agg(${state}, ',' order by c.oid)
    from ${RELATION_RULE}
    where c.oid in (${numbers})
  `);
  return `${id} in (${numbers}) and (${found}) = ${textLiteral(states.join(','))}`;
}

/** States of the relation and of all that it and policies read, of functions, and of the role. */
type Policed = [relations: readonly string[], functions: readonly string[], role: string];

export function policedText(...policed: Policed): string {
  return JSON.stringify(policed);
}

/** SQL: whether the reader is shown rows as defined. Locks protect no functions or memberships. */
function isPolicedSo(definition: string, id: string): string {
  const [relations, functions, role] = JSON.parse(definition) as Policed;
  const own = areRelations(relations, id, relationState('row_security_active(c.oid)'));
  const ofRole = `${roleState('current_user')} = ${textLiteral(role)}`;
  const parents = relations
    .filter(isParent)
    // Of policies, only those of the relation that is read apply.
    .map((state) => allMembersAre(numbersOf([state]), IS_ORDINARY));
  const called = functionStates(functions.map((state) => numbersOf([state])));
  const areCalled = called.map((states) => `${states} = ${textLiteral(functions.join(','))}`);
  return [own, ofRole, ...parents, ...areCalled].join(' and ');
}

function isParent(state: string): boolean {
  const [, kind, , hasChildren] = state.split(' ');
  return kind === 'p' || hasChildren === 't';
}
