import type { WireType } from '@proj/contract';

import type { Field } from './field.ts';

/** Gregorian, also before its introduction; the year before 1 is 0. */
export type CalendarDay = readonly [year: number, month: number, day: number];

/** Years after 9999 or BC; the column holds days from `first` to `last`. */
export interface FarYears {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

/**
 * Values that some databases hold beyond those of a wire type, in replies and filters as printed:
 *
 * - `infinity`: `infinity` and `-infinity` as dates, `Infinity` and `-Infinity` as decimals
 * - `not_a_number`: `NaN` as a decimal
 * - `zero_dates`: dates whose year, month or day is zero, and days that a month does not have
 * - `nanoseconds`: nine digits of a second
 * - `end_of_day`: the time `24:00:00`
 * - `long_times`: times that are negative or exceed a day, up to 838:59:59.999999
 * - `unsigned`: whole numbers up to 2^64 - 1
 * - `reals`: floating point numbers among whole ones
 * - `numbers`: numbers among truth values
 * - `texts`: texts and blobs among numbers and truth values, which filters do not take
 * - `nul`: texts that hold U+0000
 */
export type Extreme =
  | FarYears
  | 'infinity'
  | 'not_a_number'
  | 'zero_dates'
  | 'nanoseconds'
  | 'end_of_day'
  | 'long_times'
  | 'unsigned'
  | 'reals'
  | 'numbers'
  | 'texts'
  | 'nul'
  | 'empty_label';

export type Extremes = Readonly<Partial<Record<WireType, readonly Extreme[]>>>;

/** What statements compute where they name a column that is not stored. */
export interface ComputedValue {
  /** Text of the operator, in the database's words, already of the column's type. */
  readonly sql: string;
  /** Whether it depends on its row's columns alone, as the settings promise. Else no version. */
  readonly isOfRow: boolean;
  /** Whether the operator wrote it, who may call functions of the database. Default: no. */
  readonly mayCall?: boolean;
  /** Columns that it reads, where it is computed after a page is cut. Default: before. */
  readonly reads?: readonly string[];
}

export interface Column extends Pick<
  Field,
  'name' | 'databaseType' | 'type' | 'encoding' | 'collation'
> {
  readonly items?: WireType;
  readonly nullable: boolean;
  readonly description: string | null;
  readonly extremes?: Extremes;
  /** How a sample stores dates, such as `YYYY-MM-DD HH:MM:SS`, the most frequent form first. */
  readonly storedForms?: readonly { readonly form: string; readonly rows: number }[];
  readonly computed?: ComputedValue;
}

/** Columns that are unique together and never NULL. */
export type KeyCandidate = readonly { readonly column: string; readonly collation?: string }[];

/** Why a unique index is no key, as `build-order.ts` explains; the closest to a key first. */
export const NEAR_KEYS = [
  'children',
  'materialised',
  'nullable',
  'prefix',
  'unbounded',
  'expression',
  'unreadable',
] as const;

export interface NearKey {
  readonly why: (typeof NEAR_KEYS)[number];
  readonly columns: readonly string[];
  /** Whether a row holds NULL there; undefined if not looked at. */
  readonly holdsNull?: boolean;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly relation: RelationPath;
  /** In the order of the columns. */
  readonly key: readonly string[];
  /** The SQL operator of each pair, key on the left. Default: `=`. */
  readonly operators?: readonly string[];
}

/** Outermost part first. */
export type RelationPath = readonly string[];

/** What a relation is to a role that callers read as. */
export interface RoleAccess {
  readonly role: string;
  /** Tables that policies read and the role may lock, to read them in one snapshot. */
  readonly policyTables: readonly RelationPath[];
  /** Functions of its policies, in the source's words: they may be replaced. Default: none. */
  readonly calls?: readonly string[];
  /** Whether they read tables that the role cannot lock. Default: false. */
  readonly readsUnlocked?: boolean;
  /** What decides the shown rows, for their version. Absent without one or with the relation's. */
  readonly definition?: string;
  /** Settings, in lower case, that alone decide with each row. Absent where more is read. */
  readonly decidesBy?: readonly string[];
  /** Why rows have no version; follows the relation's name in a sentence. */
  readonly unversioned?: string;
}

export type ReadRelation = Pick<Relation, 'path' | 'definition'>;

/** What the operator writes in place of a relation. */
export interface Selection {
  readonly sql: string;
  /** Those that alone decide its rows. Undefined where it may read others. */
  readonly reads: readonly ReadRelation[] | undefined;
}

export interface Relation {
  /** Empty for a {@link Selection}. */
  readonly path: RelationPath;
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /** The best first. */
  readonly keys: readonly KeyCandidate[];
  /** Readable ones of each index over all rows that every statement checks. NULL may repeat. */
  readonly uniqueKeys?: readonly KeyCandidate[];
  /** The closest unique index, where there is no key but SQLite's own row number. */
  readonly nearKey?: NearKey;
  readonly description: string | null;
  readonly foreignKeys?: readonly ForeignKey[];
  /** Whether types are only declared, so that settings may know better. */
  readonly typesAreHints?: boolean;
  /** Whether statements of one transaction see one state. */
  readonly snapshots?: boolean;
  /** Whether reads of one snapshot may differ, as with a VOLATILE function. Default: false. */
  readonly varies?: boolean;
  /** Whether each change of rows changes the data version. */
  readonly versioned?: boolean;
  /** Its definition in the source's words: a change ends the rows' version. */
  readonly definition?: string;
  /** Why a view has no version; follows its name in a sentence. */
  readonly unversioned?: string;
  /** Whether policies of the database decide who sees which rows. Default: false. */
  readonly hasPolicies?: boolean;
  readonly roles?: readonly RoleAccess[];
  /** A sentence on where the rows are, if rows and total may be of different states. */
  readonly distributed?: string;
  /** Its tables on several servers, where one state of all can be read. */
  readonly cut?: readonly RelationPath[];
  readonly unusable?: string;
  readonly selection?: Selection;
}
