import type { DatabaseSession } from '../catalogue/database-session.ts';
import type { Condition } from '../planning/condition.ts';
import { versionScope } from '../planning/list-rows.ts';
import type { PreparedQuery } from '../sql/prepared/prepared-query.ts';
import { shapeOf } from '../sql/prepared/query-keys.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { PageRange } from '../sql/query-statements.ts';
import type { BoundedRows, PageFound, PageRows, ReadCall, RecordRows } from '../sources/source.ts';
import { QueryFailedError } from '../errors.ts';
import type { HitCounter } from './cache-stats.ts';

export interface Question {
  /** Equal for questions with equal answers in every state of the data. */
  readonly key: string;
  /** Whose version is that of the answer: see `versionScope`. */
  readonly relations: readonly RelationPath[];
  readonly session?: DatabaseSession | undefined;
}

/** A link answers or passes the question on; it never calls back. */
export interface Reader<Asked extends Question, Answer> {
  /** @throws {QueryFailedError} when the database gives no answer, in time or at all */
  read(question: Asked, call: ReadCall): Promise<Answer>;
}

/** Also answers several questions about the same records from one snapshot. */
export interface BatchReader<Asked extends Question, Answer> extends Reader<Asked, Answer> {
  readBatch(questions: readonly Asked[], call: ReadCall): Promise<readonly Answer[]>;
}

export interface PageQuestion extends Question {
  readonly query: PreparedQuery;
  readonly range: PageRange;
  /** The most records to count, 0 for none. Default: all. */
  readonly countLimit?: number | undefined;
}

export interface RecordQuestion extends Question {
  readonly query: PreparedQuery;
  readonly record: Condition;
  readonly size: number;
}

export type ListQuestion = PageQuestion | RecordQuestion;

export type FoundPage = PageRows | BoundedRows | RecordRows;

export type PageBatchReader = BatchReader<PageQuestion, PageRows>;

export function recordQuestion(
  query: PreparedQuery,
  record: Condition,
  size: number,
): RecordQuestion {
  const key = `${query.key}\nrecord ${size} ${JSON.stringify(shapeOf(record))}`;
  const { plan } = query;
  return { key, relations: versionScope(plan), session: plan.session, query, record, size };
}

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

export function isWhole(
  { rows, total }: Pick<PageRows, 'rows' | 'total'>,
  { offset, size }: PageRange,
): boolean {
  const rest = total > offset ? total - offset : 0n;
  return BigInt(rows) === (rest < BigInt(size) ? rest : BigInt(size));
}

/** Undefined where the number of rows contradicts the total. */
export function wholePage(read: PageFound, total: bigint, range: PageRange): PageRows | undefined {
  const page = { ...read, total };
  return isWhole(page, range) ? page : undefined;
}

/** More than the database can return at once; no total is sent. */
const TOO_LARGE: PageRows = Object.freeze({
  json: undefined,
  rows: 0,
  total: 0n,
  version: undefined,
  milliseconds: Object.freeze({ rows: 0, count: 0 }),
});

export function isTooLarge(error: unknown): boolean {
  return error instanceof QueryFailedError && error.code === 'reply_too_large';
}

export function pageTooLarge(error: unknown): PageRows {
  if (isTooLarge(error)) return TOO_LARGE;
  throw error;
}

export interface FoundTotal {
  readonly total: bigint | undefined;
  readonly version: string | undefined;
  readonly foundFor?: string | undefined;
}

export interface KeptTotal extends FoundTotal {
  readonly total: bigint;
  readonly version: string;
}

/** `long` passes over many rows, so another `quick` path goes first; `unknown`: no total now. */
export type KnownPath = 'quick' | 'long' | 'unknown';

/** Reads pages without a count: the data is unchanged, or its changes are followed. */
export interface KnownLists {
  readonly counter: HitCounter;
  /** Undefined where the list's total cannot be kept here. No side effect. */
  pathTo(question: PageQuestion): KnownPath | undefined;
  /** Whose request found the total. No side effect. */
  foundFor?(question: PageQuestion): string | undefined;
  /** Undefined where the rows are of another state than the total. */
  page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined>;
  record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined>;
  /** @returns when done, the milliseconds for which others went first; undefined if not worth it */
  want?(question: ListQuestion, call: ReadCall): Promise<number> | undefined;
  /** Absent where totals are counted apart. */
  learn?(question: ListQuestion, found: FoundTotal): void;
}
