import { type RawBuilder, sql } from 'kysely';

import type { Plan } from '../planning/plan.ts';
import type { Dialect } from './dialect.ts';
import { pageClauses, reversedClauses } from './page-clauses.ts';
import type { QueryStatements, RelationPath } from './query-statements.ts';
import type { Statement } from './statement.ts';

/** Which access paths may be taken. */
export interface CompileOptions {
  readonly shortPageProof: boolean;
  readonly readBackwards: boolean;
  /** How many bytes the records of a page may take as JSON. */
  readonly maxReplyBytes: number;
}

/**
 * The statements of a list. For the names of cities on SQLite, leaving the encoding of values out:
 *
 *     select case when octet_length("json") <= 67108864 then "json" end, "rows"
 *     from (
 *       select json_group_array(json_object('name', "c0")) as "json", count(*) as "rows"
 *       from (
 *         select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc limit ? offset ?
 *       )
 *     )
 *
 *     select count(*) from "cities" as "t"
 */
export function compileQuery(
  plan: Plan,
  dialect: Dialect,
  options: CompileOptions,
): QueryStatements {
  const { maxReplyBytes: maxBytes } = options;
  const fields = plan.attributes;
  const relation = plan.model.path;
  const page = pageClauses(plan, dialect, maxBytes);
  const count = sql`select count(*) from ${page.from}${page.where}`;
  const shortPageProof = options.shortPageProof && dialect.provesShortPages;
  const clauses = { ...page, fields, count, shortPageProof };
  return {
    relation,
    fields,
    rows: compile(dialect.rows(fields, page), dialect, relation),
    reversed: options.readBackwards ? compileReversed(plan, dialect, maxBytes) : undefined,
    count: compile(count, dialect, relation),
    pageWithTotal: compileOptional(dialect.pageWithTotal?.(clauses), dialect, relation),
    lock: compileOptional(dialect.lock?.(sql.id(...relation)), dialect, relation),
    version: compileOptional(dialect.version && sql`select ${dialect.version}`, dialect),
    shortPageProof,
    maxBytes,
  };
}

/** Undefined where two statements may see two states of the relation: the total must be known. */
function compileReversed(plan: Plan, dialect: Dialect, maxBytes: number): Statement | undefined {
  if (!plan.model.snapshots) return undefined;
  const rows = dialect.rows(plan.attributes, reversedClauses(plan, dialect, maxBytes));
  return compile(rows, dialect, plan.model.path);
}

/** The text and the parameters of a statement; with placeholders in them it is a template. */
export function compile(
  statement: RawBuilder<unknown>,
  dialect: Dialect,
  relation?: RelationPath,
): Statement {
  const { sql: text, parameters } = statement.compile(dialect.kysely);
  return { sql: text, parameters, relation };
}

/** As {@link compile}; undefined for a statement that the dialect does without. */
export function compileOptional(
  statement: RawBuilder<unknown> | undefined,
  dialect: Dialect,
  relation?: RelationPath,
): Statement | undefined {
  return statement && compile(statement, dialect, relation);
}
