import type { Kysely } from 'kysely';

import type { Field, FilterValue } from '../catalogue/field.ts';
import type { OrderTerm, Attribute } from '../catalogue/model.ts';
import type { Cut } from '../planning/list-rows.ts';
import type { Expression, Placeholder, StatementSession } from './statement.ts';

/** Clauses for a statement that ends with the placeholders of its page range. */
export interface PageClauses {
  /** Listed rows have the alias `t`. */
  readonly from: Expression;
  /** The same for counts, with fewer joins. Default: `from`. */
  readonly counted?: Expression;
  readonly where: Expression;
  readonly order: Expression;
  /** Joins of the page's rows alone. Default: none. */
  readonly late?: LateJoins | undefined;
  /** Default: the whole list. */
  readonly parts?: ListParts;
  /** Whether the order is from the list's end. Records come back in the list's own order. */
  readonly reversed: boolean;
  /** What names of outputs begin with. Default: `c`. */
  readonly outputs?: string;
  /** Whether the last record is counted, not shown. Default: false. */
  readonly oneMore?: boolean;
  /** A longer JSON text becomes NULL and never leaves the database. */
  readonly maxBytes: number;
}

export type ListPart = Pick<PageClauses, 'from' | 'where' | 'order'>;

export interface ListParts {
  readonly parts: readonly ListPart[];
  /** A name for rows found in the first part, which no relation of the list has. */
  readonly found: Expression;
}

export interface LateJoins {
  /** The listed rows' columns for records, joins and order. */
  readonly columns: readonly Expression[];
  /** The page's rows, alias `t`, with what is computed and joined for them alone. */
  from(cut: Expression): Expression;
}

export interface JoinedPair {
  readonly key: Expression;
  readonly held: Expression;
  /** The database's names of both types. */
  readonly types: { readonly key: string; readonly held: string };
  /** Of the key's index. */
  readonly collation: string | undefined;
  readonly operator: string | undefined;
}

export interface JoinDialect {
  /** Compares as the key's index does. */
  equal(pair: JoinedPair): Expression;
  /** Whether a record that meets the condition has the pairs, where faster than `exists`. */
  isAmong?(
    pairs: readonly JoinedPair[],
    list: {
      readonly from: Expression;
      readonly condition: Expression | undefined;
    },
  ): Expression | undefined;
}

export interface AtOnceClauses extends PageClauses {
  readonly fields: readonly Field[];
  /** The first one counts the list, up to a limit if one record more is read. */
  readonly numbers: readonly Expression[];
  /** Whether a page that is not full proves the total. */
  readonly shortPageProof: boolean;
}

export interface WholeListClauses extends Pick<
  PageClauses,
  'from' | 'where' | 'order' | 'outputs'
> {
  readonly fields: readonly Field[];
  /** Counts the records, where each row has to end with the total. Default: rows have none. */
  readonly total?: Expression;
}

/** How ordering columns become the keys of a page index, and are compared with them. */
export interface KeyDialect {
  /** Default: all values can be parts of keys. */
  isPossible?(field: Field): boolean;
  /** The most bytes of a value while rows are numbered. Default: unknown, 0. */
  bytesOf?(field: Field): number;
  column(column: Expression, field: Field): Expression;
  /** A sorted column for comparison with a key. Default: the column. */
  compared?(column: Expression, field: Field): Expression;
  /** A placeholder of a key's value, to compare with its column. */
  operand(placeholder: Placeholder, field: Field): Expression;
  /** Whether an index serves comparisons of several columns. */
  readonly comparesRows: boolean;
  /** Whether an index puts NULL where an order says. Otherwise NULL rows are read apart. */
  readonly ordersNull: boolean;
  /** Every `step`th key and the last, with places from 0; the first place is the bound offset. */
  select(chunk: ChunkOfKeys): Expression;
}

export interface ChunkOfKeys {
  /** Selects the ordering columns as `k0`, `k1` … */
  readonly rows: Expression;
  /** `k0`, `k1` … in the form of keys. */
  readonly keys: readonly Expression[];
  /** Orders by `k0`, `k1` …, as a subquery's own order gets lost. */
  readonly order: Expression;
  readonly step: number;
}

export interface TextMatch {
  readonly value: string;
  readonly at: 'start' | 'end' | 'anywhere' | 'whole';
  readonly ignoreCase: boolean;
}

export interface HeldValues {
  readonly values: readonly FilterValue[];
  readonly all: boolean;
}

export interface DefinedRelation {
  readonly path: readonly string[];
  readonly definition: string;
}

export interface EvaluatedList {
  readonly name: Expression;
  readonly rows: Expression;
}

export interface Clauses {
  readonly page: PageClauses;
  readonly atOnce: AtOnceClauses;
  readonly list: WholeListClauses;
  readonly keys: ChunkOfKeys;
  readonly grouping: Grouping;
  readonly selected: SelectedRecords;
  readonly joined: JoinedPair;
  readonly textMatch: TextMatch;
  readonly held: HeldValues;
  readonly defined: DefinedRelation;
}

export interface Dialect {
  /** Compiles, and never runs, statements. */
  readonly kysely: Kysely<Record<string, never>>;
  /** Selects a page's fields, each value in its wire form or ready for it. */
  rows(fields: readonly Field[], page: PageClauses): Expression;
  /** Selects all records, one a row: as JSON text or ready for it, as in {@link rows}. */
  records(list: WholeListClauses): Expression;
  /** Each server makes its own texts. Undefined if they could differ from the asked server's. */
  recordsOfServers?(fields: readonly Field[], page: PageClauses): Expression | undefined;
  lists(lists: readonly SelectedRecords[], maxBytes: number): Expression;
  /** Reports versions only while relations are defined as described. */
  whileDefined?(relations: readonly DefinedRelation[]): Dialect;
  /** As in {@link Statement}: the SQL that checks how relations are defined. */
  readonly proof?: string;
  readonly session?: StatementSession;
  /** As in {@link StatementTerms}. */
  readonly mayCall?: boolean;
  /** Whether a view's column may be computed at each mention. Default: false. */
  readonly reevaluatesColumns?: boolean;
  /** For lists that a statement names several times. Default: `with … as materialized`. */
  readonly evaluateOnce?: (statement: Expression, lists: readonly EvaluatedList[]) => Expression;
  /** Lists read in two parts; `unfiltered`: filtered ones should be sorted. Default: none. */
  readonly readsParts?: 'all' | 'unfiltered';
  readonly version?: Expression;
  /** The most values that a statement may bind. */
  readonly maxParameters?: number;
  /** Default: numbers behind {@link rows}, for lists that two statements may see in two states. */
  atOnce?(page: AtOnceClauses): Expression;
  /** Keeps relations from being emptied under a snapshot, all at once or none of them. */
  lock?(relations: readonly Expression[]): Expression | undefined;
  /** Absent without data versions for keys to hold for. */
  readonly keys?: KeyDialect;
  readonly groups: GroupDialect;
  /** Default: joins by `=`. */
  readonly joins?: JoinDialect;
  orderTerm(column: Expression, term: OrderTerm): Expression;
  /** Needed where `is null` finds more than NULL. */
  isNull?(column: Expression, field?: Field): Expression;
  /** For types that compare inexactly; with `storedAs`, for sorts too. */
  comparable?(column: Expression, field: Field): Expression;
  /** Whether a column equals an operand. Default: `in`, as {@link comparable}. */
  isOneOf?(
    column: Expression,
    operands: readonly Expression[],
    field: Field,
  ): Expression | undefined;
  /** Needed where a value that no column of this type has fails. Default: all may be bound. */
  canHold?(value: string, field: Field): boolean;
  /** Whether a value likely does not fit a file's typed column; undefined for other fields. */
  misfits?(column: Expression, field: Field): Expression | undefined;
  /** Of a checked value; always a parameter. */
  operand(value: FilterValue, field: Field): Expression;
  /** All stored forms of a checked value. Default: {@link operand}. */
  operands?(value: FilterValue, field: Field): readonly Expression[];
  /** Byte for byte, whatever the collation; NULL for NULL. */
  textIsOneOf(column: Expression, values: readonly string[], field: Field): Expression;
  /** Byte for byte or ignoring case; NULL for NULL. */
  textMatches(column: Expression, match: TextMatch, field: Field): Expression;
  /** Whether a range holds, or has something in common with, a value or range; NULL for NULL. */
  rangeMeets?(
    column: Expression,
    met: { readonly value: string; readonly by: 'contains' | 'overlaps' },
    field: Field,
  ): Expression;
  /** Whether an array, of the database or in JSON, holds values; NULL for NULL. */
  holds(column: Expression, held: HeldValues, field: Field): Expression;
}

export interface Grouping {
  /** Ordered, and equal exactly where `eq` finds values equal. */
  readonly by: Expression;
  /** One value of each group, to show, compare and sort. Default: `by`. */
  readonly value?: Expression;
  /** A one-row table to join. Default: none. */
  readonly bounds?: Expression;
}

export interface FacetValues {
  /** A bound as bound. Default: the text of the value. */
  readonly boundValue?: (text: string, field: Field) => unknown;
  /** Whether all values have as many digits after the point. Default: they do not. */
  readonly hasFixedScale?: (field: Field) => boolean;
  /** Whether sums end without zeros. Default: as many as their numbers. */
  readonly trimsSums?: boolean | undefined;
}

export interface GroupDialect extends FacetValues {
  grouping(column: Expression, field: Field): Grouping;
  cut(column: Expression, field: Field, cut: Cut): Grouping;
  /** Bins from 1; 0 for a value in none, NULL for NULL. Some of the first bounds may be equal. */
  bin(column: Expression, field: Field, bounds: readonly Expression[]): Grouping;
  /** Has each date's compared form as `x`. The rows follow `select …`. */
  computed?(column: Expression, field: Field, rows: Expression): Expression | undefined;
  /** Whether a value is among numbers. Undefined where all values of the field are. */
  isFinite?(column: Expression, field: Attribute): Expression | undefined;
  /**
   * The sum in a bin: a text of one decimal, or of several that add up. NULL where it takes all
   * rows. Doubles are divided, so that no sum is infinite.
   */
  added(column: Expression, field: Field, divisor: Expression): Expression;
  /** Default: counts all values. */
  numbers?(column: Expression): Expression;
  /** A decimal; NULL for no numbers. */
  sum(column: Expression, field: Field): Expression;
  /** Rounded to 16 digits of the fraction, or as many as the sum has; no further zeros. */
  average(column: Expression, field: Field): Expression;
  extreme(which: 'min' | 'max', column: Expression, field: Field): Expression;
  /** Sorts an extreme that a subquery gives as the column. Default: it does so by itself. */
  single?(extreme: Expression, field: Field): Expression;
}

export interface SelectedRecords {
  readonly fields: readonly Field[];
  readonly columns: readonly Expression[];
  readonly rest: Expression;
  /** NULL where this is not true. Default: always true. */
  readonly when?: Expression;
}
