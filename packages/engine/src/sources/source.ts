import type { WireType } from '@proj/contract';
import type { Kysely, RawBuilder } from 'kysely';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Relation } from '../catalogue/relation.ts';

/** SQL text with its parameters, ready to send. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The statements that answer one page; a source runs them in one snapshot. */
export interface PageStatements {
  /** One row with one column: the page's elements as the text of a JSON array. */
  readonly rows: Statement;
  /** One row with one column: how many elements there are. */
  readonly count: Statement;
  /** How many elements come before the page; from the total on, `rows` need not run. */
  readonly offset: bigint;
}

/** One page with its total, both from the same snapshot. */
export interface PageRows {
  /** The text of a JSON array of elements. */
  readonly json: string;
  readonly total: bigint;
  /** How long the two statements took, in milliseconds. */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/** How long a query may take, and who may call it off. */
export interface Patience {
  /** Stops the statement in the database. */
  readonly signal: AbortSignal | undefined;
  /** After so many milliseconds the statement is stopped in the database. */
  readonly timeoutMs: number;
}

/** A database that can be asked for pages. */
export interface Source {
  readonly dialect: Dialect;
  /** @throws {QueryFailedError} when the database gives no answer. */
  introspect(): Promise<Relation[]>;
  /** @throws {QueryFailedError} when the database gives no answer, in time or at all. */
  readPage(statements: PageStatements, patience: Patience): Promise<PageRows>;
  /** @throws {QueryFailedError} when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A selected column: where its value stands, and what it becomes on the wire. */
export interface Field {
  /** The member's name in an element. */
  readonly name: string;
  readonly type: WireType;
  /** The column's name in the page sub-select. */
  readonly alias: string;
}

/** What differs between databases, as answers. */
export interface Dialect {
  /** Compiles, and never runs, statements. */
  readonly kysely: Kysely<Record<string, never>>;
  /** Wraps the page sub-select so that it gives the text of a JSON array. */
  rowsAsJson(fields: readonly Field[], page: RawBuilder<unknown>): RawBuilder<unknown>;
  orderTerm(column: RawBuilder<unknown>, term: OrderTerm): RawBuilder<unknown>;
}
