import type { DatabaseSession } from '../catalogue/database-session.ts';
import type { Condition } from '../planning/condition.ts';
import { versionScope } from '../planning/list-rows.ts';
import type { PreparedQuery } from '../sql/prepared/prepared-query.ts';
import { conditionShape } from '../sql/prepared/query-keys.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { PageRange } from '../sql/query-statements.ts';
import type { BoundedRows, PageRows, ReadCall, RecordRows } from '../sources/source.ts';

/** Anything that has one answer for each state of the data. */
export interface Question {
  /** Equal for questions that have the same answer, whatever the state of the data. */
  readonly key: string;
  /** The relations whose version is that of the answer: see `versionScope`. */
  readonly relations: readonly RelationPath[];
  /** As whom the database reads; undefined where that is the service. */
  readonly session?: DatabaseSession | undefined;
}

/**
 * What answers questions, or a link before it: a link answers, or passes the question on to the
 * next. It never calls back to one before it.
 */
export interface Reader<Asked extends Question, Answer> {
  /** @throws {QueryFailedError} when the database gives no answer, in time or at all */
  read(question: Asked, call: ReadCall): Promise<Answer>;
}

/** A link that also answers several questions about the same records from one snapshot. */
export interface BatchReader<Asked extends Question, Answer> extends Reader<Asked, Answer> {
  /**
   * Returns the answers in the order of the questions.
   *
   * @throws {QueryFailedError} when the database gives no answer, in time or at all
   */
  readBatch(questions: readonly Asked[], call: ReadCall): Promise<readonly Answer[]>;
}

/** Which page of a query is asked for. */
export interface PageQuestion extends Question {
  readonly query: PreparedQuery;
  readonly range: PageRange;
  /** How many records are counted at most, 0 for none. Default: all. */
  readonly countLimit?: number | undefined;
}

/** Which page of a query is asked for by a record that it holds. */
export interface RecordQuestion extends Question {
  readonly query: PreparedQuery;
  readonly record: Condition;
  readonly size: number;
}

/** Which page of a query is asked for, by its place or by a record. */
export type ListQuestion = PageQuestion | RecordQuestion;

/** A page with its total, or with as much of it as was asked for, or found by a record. */
export type FoundPage = PageRows | BoundedRows | RecordRows;

/** Reads pages with their totals. */
export type PageBatchReader = BatchReader<PageQuestion, PageRows>;

/** The question for the page of a query that holds a record. */
export function recordQuestion(
  query: PreparedQuery,
  record: Condition,
  size: number,
): RecordQuestion {
  const key = `${query.key}\nrecord ${size} ${JSON.stringify(conditionShape(record))}`;
  const { plan } = query;
  return { key, relations: versionScope(plan), session: plan.session, query, record, size };
}

/** The question for one page of a query. */
export function pageQuestion(
  query: PreparedQuery,
  range: PageRange,
  countLimit?: number,
): PageQuestion {
  const page = `${query.key}\n${range.offset} ${range.size}`;
  const key = countLimit === undefined ? page : `${page}\n${countLimit}`;
  const { plan } = query;
  return { key, relations: versionScope(plan), session: plan.session, query, range, countLimit };
}
