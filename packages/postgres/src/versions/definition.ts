import { type Clauses, type Expression, oneLine, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import {
  FUNCTION_STATE,
  isOrdinaryWithMembers,
  isPlain,
  isPlainWithMembers,
  numbersOf,
  RELATION_RULE,
  RELATION_STATE,
  relationState,
  WITHOUT_CITUS,
} from '../states/relation-state.ts';
import { roleState } from '../states/version.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

export const ALONE = 'alone';

export const WITH_MEMBERS = 'with members';

/** @param states of the view and all below it, by number */
export function definitionOf(states: readonly string[]): string {
  return states.join(',');
}

/** Reading locks the relation before the snapshot, so rows and definition are of one snapshot. */
export function whileDefined(proof: string, version: Expression): Expression {
  return sqlBlock`
    case when ${sql.raw(`${WITHOUT_CITUS} and ${proof}`)} then ${version} end`;
}

/** SQL: whether the named relation is defined as it was. */
export function proofOf({ path, definition }: Clauses['defined']): string {
  // Found by the parser like the relation itself, and a constant for the planner.
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

export interface PolicedDefinition {
  /** Of the relation, and of all that it and policies read. */
  readonly relations: readonly string[];
  readonly functions: readonly string[];
  readonly role: string;
}

export function policedText({ relations, functions, role }: PolicedDefinition): string {
  return JSON.stringify([relations, functions, role]);
}

function isPoliced(definition: string): boolean {
  return definition.startsWith('[');
}

/** SQL: whether the reader is shown rows as defined. Locks protect no functions or memberships. */
function isPolicedSo(definition: string, id: string): string {
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
