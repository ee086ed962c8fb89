import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryCompiler,
  sql,
} from 'kysely';

import type { RelationPath } from '../../catalogue/relation.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import { neededColumns } from '../../planning/needed-columns.ts';
import type { Plan } from '../../planning/plan.ts';
import type { AtOnceClauses, Dialect, PageClauses } from '../dialect.ts';
import { pageFromKey, pageInParts, reversedInParts, type Seek } from '../clauses/list-parts.ts';
import type { QueryStatements, StatementTerms } from '../query-statements.ts';
import { evaluatedOnce, isEvaluatedOnce } from '../clauses/single-evaluation.ts';
import { COUNT, type Expression, type Statement } from '../statement.ts';

export interface CompileOptions {
  readonly shortPageProof: boolean;
  readonly readBackwards: boolean;
  readonly maxReplyBytes: number;
  /** Reads one record more and counts to a limit. Default: the page alone, and all of the list. */
  readonly isBounded?: boolean;
}

export function compileQuery(
  plan: Plan,
  dialect: Dialect,
  options: CompileOptions,
): QueryStatements {
  const { maxReplyBytes: maxBytes, isBounded = false, readBackwards } = options;
  const { attributes: fields } = plan;
  const page = { ...pageInParts(plan, dialect, maxBytes), oneMore: isBounded };
  const evaluated = { list: plan, needed: neededColumns(plan) };
  const { clauses, complete } = evaluatedOnce(evaluated, page, dialect);
  const shortPageProof = isBounded || options.shortPageProof;
  const count = isBounded ? countToLimit : countOf;
  const numbered = { ...clauses, fields, numbers: [sql`(${count(clauses)})`], shortPageProof };
  const isAtOnce =
    dialect.atOnce !== undefined || isEvaluatedOnce(plan) || !plan.facts.hasSnapshots;
  const isReevaluated = dialect.reevaluatesColumns === true && isEvaluatedOnce(plan);
  return {
    fields,
    rows: isReevaluated
      ? compileAlone(complete(dialect.rows(fields, clauses)), dialect, plan)
      : compileRows(plan, dialect, page),
    // Two statements that may see two states need the total before.
    reversed:
      readBackwards && plan.facts.hasSnapshots
        ? compileRows(plan, dialect, reversedInParts(plan, dialect, maxBytes))
        : undefined,
    count: compileAlone(count(page), dialect, plan),
    atOnce: isAtOnce
      ? compileAlone(complete(selectAtOnce(numbered, dialect)), dialect, plan)
      : undefined,
    ...termsOf(plan, dialect),
    shortPageProof,
    maxBytes,
  };
}

export function termsOf(list: ListRows, dialect: Dialect): StatementTerms {
  const { session, mayCall, version } = dialect;
  return {
    relations: list.relations,
    lock: compileLock(list, dialect),
    session,
    mayCall,
    version: version && compile(sql`select ${version}`, dialect),
  };
}

export function selectAtOnce(page: AtOnceClauses, dialect: Dialect): Expression {
  if (dialect.atOnce !== undefined) return dialect.atOnce(page);
  const rows = sql`(${dialect.rows(page.fields, page)}) as ${sql.id('r')}`;
  return sql`select ${sql.id('r')}.*, ${sql.join(page.numbers)} from ${rows}`;
}

/** The rows are single records where several servers are read. */
function compileRows(plan: Plan, dialect: Dialect, page: PageClauses): Statement {
  const { role, cut = [] } = dialect.session ?? {};
  const isOfServers = cut.length > 0 && role === undefined && plan.rows.kind === 'table';
  const records = isOfServers ? dialect.recordsOfServers?.(plan.attributes, page) : undefined;
  if (records === undefined)
    return compileAlone(dialect.rows(plan.attributes, page), dialect, plan);
  const { reversed, maxBytes } = page;
  return { ...compile(records, dialect, plan.relations), collects: { reversed, maxBytes } };
}

export function compile(
  statement: Expression,
  dialect: Dialect,
  relations?: readonly RelationPath[],
): Statement {
  const { kysely, proof, session, mayCall } = dialect;
  const { sql: text, parameters } = statement.compile(kysely);
  const terms = {
    ...(proof !== undefined && { proof }),
    ...(session && { session }),
    ...(mayCall && { mayCall }),
  };
  return { sql: text, parameters, relations, ...terms };
}

/** Has a lock where the rows vary or are of several relations. */
export function compileAlone(statement: Expression, dialect: Dialect, list: ListRows): Statement {
  const isLocked = list.facts.varies !== undefined || list.relations.length > 1;
  const lock = isLocked ? compileLock(list, dialect) : undefined;
  return { ...compile(statement, dialect, list.relations), ...(lock && { lock }) };
}

/** Begins a transaction of several statements that see one state. */
function compileLock({ relations, facts: { hasSnapshots, varies } }: ListRows, dialect: Dialect) {
  const isOfOneState = hasSnapshots || varies?.inTransaction === true;
  // A session has a lock of its own.
  if (!isOfOneState || dialect.session !== undefined) return undefined;
  const lock = dialect.lock?.(relations.map((path) => sql.id(...path)));
  return lock && compile(lock, dialect, relations);
}

type CountedClauses = Pick<PageClauses, 'from' | 'counted' | 'where'>;

export function countOf({ from, counted = from, where }: CountedClauses): Expression {
  return sql`select count(*) from ${counted}${where}`;
}

function countToLimit({ from, counted = from, where }: CountedClauses): Expression {
  const rows = sql`(select 1 from ${counted}${where} limit ${COUNT}) as ${sql.id('b')}`;
  return sql`select count(*) from ${rows}`;
}

/** The rows from a bound key on; the offset counts from there. */
export function compileSeek(plan: Plan, dialect: Dialect, seek: Seek): Statement {
  return compileRows(plan, dialect, pageFromKey(plan, dialect, seek));
}

export function compilerOf(compiler: QueryCompiler): Dialect['kysely'] {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });
}
