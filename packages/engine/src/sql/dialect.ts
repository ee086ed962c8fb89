import type { Kysely, RawBuilder } from 'kysely';

import type { Field } from '../catalogue/field.ts';
import type { FilterValue } from '../catalogue/filter-value.ts';
import type { OrderTerm } from '../catalogue/model.ts';
import type { GroupDialect, Grouping, SelectedRecords } from './group-clauses.ts';
import type { Placeholder, StatementSession } from './statement.ts';

/**
 * The clauses of a page, ready for a statement that ends with the placeholders of its page range.
 */
export interface PageClauses {
  /** The rows, those of the listed relation under the alias `t`. */
  readonly from: RawBuilder<unknown>;
  /** The same for counts, joined with less. Default: `from`. */
  readonly counted?: RawBuilder<unknown>;
  /** `where …`, or nothing. */
  readonly where: RawBuilder<unknown>;
  /** The terms of `order by`. */
  readonly order: RawBuilder<unknown>;
  /** What the rows of the page alone are joined with. Default: nothing. */
  readonly late?: LateJoins | undefined;
  /** The list in parts. Default: as a whole. */
  readonly parts?: ListParts;
  /**
   * Whether the order is that of the list from its end; the records are returned in the list's own
   * order all the same.
   */
  readonly reversed: boolean;
  /** Whether the last record that the limit lets through is counted, not shown. Default: false. */
  readonly oneMore?: boolean;
  /** A longer JSON text is NULL, so that it never leaves the database. */
  readonly maxBytes: number;
}

/** A part of an ordered list, selected and ordered by itself. */
export type ListPart = Pick<PageClauses, 'from' | 'where' | 'order'>;

/** One part of a list or two, of which the second follows the first. */
export interface ListParts {
  readonly parts: readonly ListPart[];
  /** A name that no relation of the list has, for rows that were found in the first part. */
  readonly found: RawBuilder<unknown>;
}

/** Joins of the rows of one page, after it was cut. */
export interface LateJoins {
  /** The columns of the listed rows that the page needs for its records, joins and order. */
  readonly columns: readonly RawBuilder<unknown>[];
  /** The joins, behind the rows of the page under the alias `t`. */
  readonly joins: RawBuilder<unknown>;
}

/** A column of a key and the column that holds its values, as comparisons name them. */
export interface JoinedPair {
  readonly key: RawBuilder<unknown>;
  readonly held: RawBuilder<unknown>;
  /** The database's own names of the types of both. */
  readonly types: { readonly key: string; readonly held: string };
  /** The collation of the index of the key. */
  readonly collation: string | undefined;
  readonly operator: string | undefined;
}

/** How rows are joined along relations to one. */
export interface JoinDialect {
  /** Whether a column holds the value of a key, compared as the index of the key compares. */
  equal(pair: JoinedPair): RawBuilder<unknown>;
  /**
   * Whether a key is held by one of some records, true or false, where that is faster than
   * `exists`; undefined where it is not the same.
   *
   * @param list the records, and the condition of those that count
   */
  isAmong?(
    pairs: readonly JoinedPair[],
    list: {
      readonly from: RawBuilder<unknown>;
      readonly condition: RawBuilder<unknown> | undefined;
    },
  ): RawBuilder<unknown> | undefined;
}

/** What a statement is made of that reads a page, and numbers behind its rows. */
export interface AtOnceClauses extends PageClauses {
  readonly fields: readonly Field[];
  /** The first one counts the list: to a limit, where one record more is read. */
  readonly numbers: readonly RawBuilder<unknown>[];
  /** Whether a page that is not full may prove the total by itself. */
  readonly shortPageProof: boolean;
}

/** What a statement is made of that reads all records of a list. */
export interface WholeListClauses extends Pick<PageClauses, 'from' | 'where' | 'order'> {
  readonly fields: readonly Field[];
  /** Counts the records, where each row is to end with the total. Default: rows have none. */
  readonly total?: RawBuilder<unknown>;
}

/**
 * How the values of the columns that order a list are read as keys of a page index, and compared
 * with the columns again.
 */
export interface KeyDialect {
  /** Whether values of a column can be parts of keys. Default: all can. */
  isPossible?(field: Field): boolean;
  /** How many bytes a value takes at most while rows are numbered. Default: not known, 0. */
  bytesOf?(field: Field): number;
  /** A column as it is selected for a key. */
  column(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** A sorted column as it is compared with a value of a key. Default: as it is. */
  compared?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /**
   * A placeholder for a value that was selected for a key, as the operand of a comparison with
   * its column.
   */
  operand(placeholder: Placeholder, field: Field): RawBuilder<unknown>;
  /** Whether an index serves a comparison of several columns at once. */
  readonly comparesRows: boolean;
  /**
   * Whether an index brings NULL where an order says. Otherwise rows with NULL and those without
   * are read apart, by orders that say nothing of NULL.
   */
  readonly ordersNull: boolean;
  /**
   * Selects, of consecutive rows of an ordered list, every `step`-th and the last one, in order:
   * their keys, and behind them their places, from 0 on. The first of every `step` rows is the one
   * whose place is bound as the offset.
   */
  select(chunk: ChunkOfKeys): RawBuilder<unknown>;
}

/** Consecutive rows of an ordered list. */
export interface ChunkOfKeys {
  /** Selects the columns that order the list as `k0`, `k1` …, in that order. */
  readonly rows: RawBuilder<unknown>;
  /** The columns `k0`, `k1` … as keys have them. */
  readonly keys: readonly RawBuilder<unknown>[];
  /** The terms of the order over `k0`, `k1` …, where a subquery's own order gets lost. */
  readonly order: RawBuilder<unknown>;
  readonly step: number;
}

/** Which part a text must hold, and where: `whole` is all of it. */
export interface TextMatch {
  readonly value: string;
  readonly at: 'start' | 'end' | 'anywhere' | 'whole';
  readonly ignoreCase: boolean;
}

/** A relation, and what it is defined as in the words of its source. */
export interface DefinedRelation {
  readonly path: readonly string[];
  readonly definition: string;
}

/** A list that a statement selects from by a name. */
export interface EvaluatedList {
  readonly name: RawBuilder<unknown>;
  readonly rows: RawBuilder<unknown>;
}

/** What statements are made of, by the name of what they read. */
export interface Clauses {
  readonly page: PageClauses;
  readonly atOnce: AtOnceClauses;
  readonly list: WholeListClauses;
  readonly keys: ChunkOfKeys;
  readonly grouping: Grouping;
  readonly selected: SelectedRecords;
  readonly joined: JoinedPair;
  readonly textMatch: TextMatch;
  readonly defined: DefinedRelation;
}

/** What differs between databases, as answers. */
export interface Dialect {
  /** Compiles, and never runs, statements. */
  readonly kysely: Kysely<Record<string, never>>;
  /**
   * The statement that selects the fields of a page, each value in its wire form or ready for it.
   */
  rows(fields: readonly Field[], page: PageClauses): RawBuilder<unknown>;
  /**
   * The statement that selects all records of a list, each in a row of its own: as JSON text or
   * ready for it, as in {@link rows}.
   */
  records(list: WholeListClauses): RawBuilder<unknown>;
  /**
   * The statement that selects the records of a page as {@link records} does, in the order of the
   * clauses, where rows of several servers are read: each of them makes the texts of its own.
   * Undefined where those could be others than on the server that is asked.
   */
  recordsOfServers?(fields: readonly Field[], page: PageClauses): RawBuilder<unknown> | undefined;
  /**
   * The statement that selects several lists of records at once: the JSON text of each in one row,
   * or rows that each begin with the number of their list.
   *
   * @param maxBytes longer JSON texts are NULL, so that they never leave the database
   */
  lists(lists: readonly SelectedRecords[], maxBytes: number): RawBuilder<unknown>;
  /**
   * The dialect for relations, whose statements report a version only while each is defined as it
   * was described.
   */
  whileDefined?(relations: readonly DefinedRelation[]): Dialect;
  /** As in {@link Statement}: the SQL by which statements find how their relation is defined. */
  readonly proof?: string;
  /** As in {@link Statement}: as whom statements read. */
  readonly session?: StatementSession;
  /**
   * Whether the database may compute a column of a view again at each place where a statement names
   * it. A filter of a list that varies then has to apply to rows that were evaluated once. Default:
   * false.
   */
  readonly reevaluatesColumns?: boolean;
  /**
   * A statement, with the lists that it may name several times before it, so that each is evaluated
   * once. Default: in `with … as materialized`.
   */
  readonly evaluateOnce?: (
    statement: RawBuilder<unknown>,
    lists: readonly EvaluatedList[],
  ) => RawBuilder<unknown>;
  /**
   * Which lists that are ordered along a relation are read in parts, for a database that looks for
   * the second one only where the first has too few rows: its `limit` takes a subquery. Those
   * without a filter, where the database cannot tell that a filter leaves few rows, which it had
   * better sort than look for along an index. Default: none.
   */
  readonly readsParts?: 'all' | 'unfiltered';
  /** The version of the data that a statement sees, where statements report one. */
  readonly version?: RawBuilder<unknown>;
  /** How many values a statement may bind. */
  readonly maxParameters?: number;
  /**
   * A page and numbers behind its rows in one statement, for a database whose statements each read
   * one snapshot, or whose pages have more than one row. Default: numbers behind the one row that
   * {@link rows} selects, of those lists alone of which two statements may see two states.
   */
  atOnce?(page: AtOnceClauses): RawBuilder<unknown>;
  /**
   * Keeps relations from being emptied under a transaction's snapshot, which would see them empty;
   * other writes go on. Several are locked at once or not at all: whoever waits for one while it
   * holds another may keep a writer waiting for both. Undefined where its statements do that.
   */
  lock?(relations: readonly RawBuilder<unknown>[]): RawBuilder<unknown> | undefined;
  /**
   * How keys are read and compared, where the database has versions of its data for them to hold
   * for.
   */
  readonly keys?: KeyDialect;
  /** How rows are grouped. */
  readonly groups: GroupDialect;
  /** How rows are joined. Default: by `=`. */
  readonly joins?: JoinDialect;
  /** A term of `order by` that puts NULL where the term says. */
  orderTerm(column: RawBuilder<unknown>, term: OrderTerm): RawBuilder<unknown>;
  /** Whether a column is NULL, where `is null` finds more than that. */
  isNull?(column: RawBuilder<unknown>, field?: Field): RawBuilder<unknown>;
  /**
   * The column as comparisons need it, where its own type would compare inexactly; for a field with
   * `storedAs`, as sorts need it too.
   */
  comparable?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** The same where values are to be equal, and not in an order. Default: as it is comparable. */
  equatable?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown> | undefined;
  /**
   * Whether a column can hold a text. Needed where a text that the column's encoding lacks makes a
   * statement fail. Default: such texts may be bound.
   */
  canHold?(text: string, field: Field): boolean;
  /**
   * Whether a value has no place in a typed column of a file: one of whole days, of microseconds in
   * 64 bits, of numbers with so many digits, of lists without lists. True for all such values, or
   * those that are likely; undefined where the field has none.
   */
  misfits?(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown> | undefined;
  /** A checked value as an operand of a comparison with an attribute; always a parameter. */
  operand(value: FilterValue, field: Field): RawBuilder<unknown>;
  /**
   * All that a column may hold which travels as a checked value, as operands. Default: what {@link
   * operand} says.
   */
  operands?(value: FilterValue, field: Field): readonly RawBuilder<unknown>[];
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
