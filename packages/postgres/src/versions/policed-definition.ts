import { oneLine } from '@proj/engine/database';

import { textLiteral } from '../values/text-literal.ts';
import { isOrdinaryWithMembers } from '../states/plain-relation.ts';
import {
  FUNCTION_STATE,
  numbersOf,
  RELATION_RULE,
  relationState,
} from '../states/relation-state.ts';
import { roleState } from '../states/role-state.ts';

/** What decides which rows of a relation a role is shown: states, by their numbers. */
export interface PolicedDefinition {
  /** Those of the relation and of all that it and policies read. */
  readonly relations: readonly string[];
  /** Those of functions that policies call. */
  readonly functions: readonly string[];
  readonly role: string;
}

/** The definition as one text. */
export function policedText({ relations, functions, role }: PolicedDefinition): string {
  return JSON.stringify([relations, functions, role]);
}

/** Whether a definition says what decides which rows a role is shown. */
export function isPoliced(definition: string): boolean {
  return definition.startsWith('[');
}

/**
 * Whether the role that reads is shown the rows of a relation as it is defined, as SQL. A lock does
 * not keep functions and memberships from being changed.
 *
 * @param id the number of the relation, as SQL
 */
export function isPolicedSo(definition: string, id: string): string {
  const [relations, functions, role] = JSON.parse(definition) as [string[], string[], string];
  const numbers = numbersOf(relations);
  const proof = `
    ${id} in (${numbers})
    and (
      select string_agg(${relationState('row_security_active(c.oid)')}, ',' order by c.oid)
      from ${RELATION_RULE}
      where c.oid in (${numbers})
    ) = ${textLiteral(relations.join(','))}
    and ${roleState('current_user')} = ${textLiteral(role)}`;
  const parents = relations
    .filter(isParent)
    .map((state) => isOrdinaryWithMembers(numbersOf([state])));
  const called = functions.length === 0 ? [] : [areFunctions(functions)];
  return oneLine([proof, ...parents, ...called].join(' and '));
}

/** Whether a table shows rows of others. */
function isParent(state: string): boolean {
  const [, kind, , hasChildren] = state.split(' ');
  return kind === 'p' || hasChildren === 't';
}

function areFunctions(states: readonly string[]): string {
  return `(
    select string_agg(${FUNCTION_STATE}, ',' order by f.oid)
    from pg_proc f
    where f.oid in (${numbersOf(states)})
  ) = ${textLiteral(states.join(','))}`;
}
