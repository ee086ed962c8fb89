import { type Clauses, oneLine, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

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
import { roleState } from '../states/role-state.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

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
function isPoliced(definition: string): boolean {
  return definition.startsWith('[');
}

/**
 * Whether the role that reads is shown the rows of a relation as it is defined, as SQL. A lock does
 * not keep functions and memberships from being changed.
 *
 * @param id the number of the relation, as SQL
 */
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
