import type { WireType } from '@proj/contract';
import type { Kysely, RawBuilder } from 'kysely';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Relation } from '../catalogue/relation.ts';
import type { StoredAs } from '../catalogue/stored-as.ts';
import type { Callers } from './callers.ts';
import type { Slot, Statement, Template } from './statement.ts';

/**
 * The statements of a list, whatever its page. A source runs those that answer one page in one
 * snapshot.
 */
export interface ListStatements {
  /** What the rows select, in order. */
  readonly fields: readonly Field[];
  /** The elements of a page, in the form that the dialect chose. */
  readonly rows: Template;
  /**
   * The same elements, found from the end of the list: its offset counts the elements after the
   * page. Undefined where that is off.
   */
  readonly reversed: Template | undefined;
  /** One row with one column: how many elements there are. */
  readonly count: Statement;
  /**
   * Rows and total in one statement, where the dialect can tell both from one snapshot in one
   * statement.
   */
  readonly together: Template | undefined;
  /**
   * What a transaction begins with, where a snapshot alone does not show one state of the relation.
   */
  readonly lock: Statement | undefined;
  /** Whether a page that is not full may prove the total by itself. */
  readonly shortPageProof: boolean;
  /** How many bytes the records of a page may take as JSON. */
  readonly maxBytes: number;
}

/** Which part of a list a page is. */
export interface Window {
  readonly size: number;
  /** How many elements come before the page. */
  readonly offset: bigint;
}

/** A page of a list. */
export interface ListPage {
  readonly list: ListStatements;
  readonly window: Window;
}

/** Elements that were read in one statement. */
export interface RowsRead {
  /** The text of a JSON array of elements; undefined where it is longer than it may be. */
  readonly json: string | undefined;
  /** How many elements the page has. */
  readonly rows: number;
  /** The version of the data that was read; undefined where it cannot be told. */
  readonly version: string | undefined;
}

/** One page with its total, both from the same snapshot. */
export interface PageRows extends RowsRead {
  readonly total: bigint;
  /**
   * How long the rows and the total took, in milliseconds; all is under `rows` where one statement
   * told both.
   */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/**
 * Every so many elements, the values of the columns that order a list, in the form in which the
 * database binds them.
 */
export interface Anchors {
  readonly keys: readonly (readonly unknown[])[];
  readonly version: string | undefined;
}

/** How long a query may take, who may call it off, and whom it is for. */
export interface Patience {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /**
   * Statements of the same shape are expected to cost the same. Default: a statement that is known
   * to be quick.
   */
  readonly shape?: string;
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
  /** The relations, with what a sample of their rows says of columns whose types say too little. */
  sample?(relations: readonly Relation[]): Promise<Relation[]>;
  /**
   * Reads a page and its total from one snapshot.
   *
   * @throws {QueryFailedError} when the database gives no answer, in time or at all.
   */
  readPage(list: ListStatements, window: Window, patience: Patience): Promise<PageRows>;
  /**
   * Reads several pages, of lists that have one total, from one snapshot of relations that have
   * `snapshots`; otherwise as {@link readPage}.
   */
  readPages(pages: readonly ListPage[], patience: Patience): Promise<PageRows[]>;
  /** Reads a total alone; otherwise as {@link readPage}. */
  count(count: Statement, patience: Patience): Promise<bigint>;
  /** Reads the elements of a page alone; otherwise as {@link readPage}. */
  readRows(read: RowsStatement, patience: Patience): Promise<RowsRead>;
  /**
   * Reads keys for an index of pages, beside the queries of callers; otherwise as {@link readPage}.
   */
  readAnchors?(anchors: Statement, patience: Patience): Promise<Anchors>;
  /**
   * The version of the data now, read after the call: two reads that saw the same version saw the
   * same data, in every relation that is `versioned`. Undefined where it cannot be told at the
   * moment.
   */
  version?(): Promise<string | undefined>;
  /**
   * What other processes over the same database would call a version, where that is not the version
   * itself.
   */
  shared?(version: string): string;
  /**
   * Whether somebody who reads for long keeps others from writing, as on SQLite without a
   * write-ahead log.
   */
  readonly readsHoldUpWrites?: boolean;
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
  /** How dates are stored, where the database has no type for them. */
  readonly storedAs?: StoredAs | undefined;
}

/** A statement that reads elements, and what its rows hold. */
export interface RowsStatement {
  readonly statement: Template;
  readonly filling: Window & { readonly key?: readonly unknown[] };
  readonly fields: readonly Field[];
  /** Whether it finds the elements from the end. */
  readonly reversed: boolean;
  readonly maxBytes: number;
}

/**
 * The clauses of a page, ready to be put into a statement that ends with the slots of its window.
 */
export interface PageClauses {
  /** The relation, under the alias `t`. */
  readonly from: RawBuilder<unknown>;
  /** `where …`, or nothing. */
  readonly where: RawBuilder<unknown>;
  /** The terms of `order by`. */
  readonly order: RawBuilder<unknown>;
  /**
   * Whether the order is that of the list from its end; the elements are given in the list's own
   * order all the same.
   */
  readonly reversed: boolean;
  /** A longer JSON text is NULL, so that it never leaves the database. */
  readonly maxBytes: number;
}

/** What a statement is made of that tells rows and total. */
export interface TogetherClauses extends PageClauses {
  readonly fields: readonly Field[];
  readonly count: RawBuilder<unknown>;
  readonly shortPageProof: boolean;
}

/**
 * How the values of the columns that order a list are read as keys of a page index, and compared
 * with the columns again.
 */
export interface KeyDialect {
  /** A column as it is selected for a key. */
  column(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /**
   * Selects every so many keys in order: `numbered` selects them all as `k0`, `k1` …, with their
   * places, from 0 on, as `n`.
   */
  select(keys: NumberedKeys): RawBuilder<unknown>;
  /**
   * A slot for a value that was selected for a key, as the operand of a comparison with its column.
   */
  operand(slot: Slot, field: Field): RawBuilder<unknown>;
}

/** All keys of a list, numbered. */
export interface NumberedKeys {
  readonly numbered: RawBuilder<unknown>;
  /** How many columns a key has. */
  readonly width: number;
  /** Of so many keys one is selected. */
  readonly step: number;
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
  /**
   * The statement that selects the fields of a page, each value in its wire form or ready for it.
   */
  rows(fields: readonly Field[], page: PageClauses): RawBuilder<unknown>;
  /** Whether its statements leave the count out where a page proves the total by not being full. */
  readonly provesShortPages: boolean;
  /** Rows and total in one statement, for a database whose statements each read one snapshot. */
  together?(page: TogetherClauses): RawBuilder<unknown>;
  /**
   * Keeps a relation from being emptied under a transaction's snapshot, which would see it empty;
   * other writes go on.
   */
  lock?(relation: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * How keys are read and compared, where the database has versions of its data for them to hold
   * for.
   */
  readonly keys?: KeyDialect;
  /** A term of `order by` that puts NULL where the term says. */
  orderTerm(column: RawBuilder<unknown>, term: OrderTerm): RawBuilder<unknown>;
  /**
   * The column as comparisons need it, where its own type would compare inexactly; for a field with
   * `storedAs`, as sorts need it too.
   */
  comparable?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** A checked value as an operand of a comparison with an attribute; always a parameter. */
  operand(value: FilterValue, field: Field): RawBuilder<unknown>;
  /**
   * Whether a text is one of the values, byte for byte and whatever the column's collation; NULL
   * for NULL.
   */
  textIsOneOf(
    column: RawBuilder<unknown>,
    values: readonly string[],
    field: Field,
  ): RawBuilder<unknown>;
  /** Whether a text holds a part, byte for byte or without regard to case; NULL for NULL. */
  textMatches(column: RawBuilder<unknown>, match: TextMatch, field: Field): RawBuilder<unknown>;
}
