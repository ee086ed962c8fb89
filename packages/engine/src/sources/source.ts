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
  /** The page's elements, in the form that the dialect chose. */
  readonly rows: Statement;
  /** One row with one column: how many elements there are. */
  readonly count: Statement;
  /** Rows and count as one row of two columns, where the dialect can tell both from one snapshot in one statement. */
  readonly together: Statement | undefined;
  /** What `rows` selects, in order. */
  readonly fields: readonly Field[];
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
  /** What an operator should know, such as a role that could write. */
  warnings?(): Promise<string[]>;
  close(): Promise<void>;
}

/** A selected column: where its value stands, and what it becomes on the wire. */
export interface Field {
  /** The member's name in an element. */
  readonly name: string;
  readonly column: string;
  readonly type: WireType;
  /** The type of an array's elements. */
  readonly items: WireType | undefined;
  /** The database's own name of the type. */
  readonly databaseType: string;
}

/** The clauses of a page, ready to be put into a statement. */
export interface PageClauses {
  /** The relation, under the alias `t`. */
  readonly from: RawBuilder<unknown>;
  /** `where …`, or nothing. */
  readonly where: RawBuilder<unknown>;
  /** The terms of `order by`. */
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
  readonly offset: bigint;
}

/** A value of a filter, checked against the attribute's type. */
export type FilterValue = string | number | bigint | boolean;

/** Which part a text must hold, and where. */
export interface TextMatch {
  readonly value: string;
  readonly at: 'start' | 'end' | 'anywhere';
  readonly ignoreCase: boolean;
}

/** What differs between databases, as answers. */
export interface Dialect {
  /** Compiles, and never runs, statements. */
  readonly kysely: Kysely<Record<string, never>>;
  /** The statement that selects the fields of a page, each value in its wire form or ready for it. */
  rows(fields: readonly Field[], page: PageClauses): RawBuilder<unknown>;
  /** Rows and count in one statement, for a database whose statements each read one snapshot. */
  together?(rows: RawBuilder<unknown>, count: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A term of `order by` that puts NULL where the term says. */
  orderTerm(column: RawBuilder<unknown>, term: OrderTerm): RawBuilder<unknown>;
  /** The column as comparisons need it, where its own type would compare inexactly. */
  comparable?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** A checked value as an operand of a comparison with an attribute; always a parameter. */
  operand(value: FilterValue, field: Field): RawBuilder<unknown>;
  /** Whether a text is one of the values, byte for byte and whatever the column's collation; NULL for NULL. */
  textIsOneOf(column: RawBuilder<unknown>, values: readonly string[], field: Field): RawBuilder<unknown>;
  /** Whether a text holds a part, byte for byte or without regard to case; NULL for NULL. */
  textMatches(column: RawBuilder<unknown>, match: TextMatch, field: Field): RawBuilder<unknown>;
}
