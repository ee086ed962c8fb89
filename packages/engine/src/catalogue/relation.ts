import type { WireType } from '@proj/contract';

import type { Encoding } from './encoding.ts';

/** A day of the Gregorian calendar, also before it was introduced; the year before 1 is 0. */
export type CalendarDay = readonly [year: number, month: number, day: number];

/**
 * Years before the common era, whose dates end with ` BC`, and after 9999; `first` and `last` are
 * the days between which the column holds dates.
 */
export interface FarYears {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

/**
 * A kind of value that some databases hold in columns of a wire type, beyond those that the type
 * has everywhere. Replies carry such values as the database prints them, and so filters take them:
 *
 * - `infinity`: `infinity` and `-infinity` as dates, `Infinity` and `-Infinity` as decimals
 * - `not_a_number`: `NaN` as a decimal
 * - `zero_dates`: dates whose year, month or day is zero, and days that a month does not have
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
  | 'end_of_day'
  | 'long_times'
  | 'unsigned'
  | 'reals'
  | 'numbers'
  | 'texts'
  | 'nul'
  | 'empty_label';

/** The extremes of a column, by the wire type that it has or that the settings give it. */
export type Extremes = Readonly<Partial<Record<WireType, readonly Extreme[]>>>;

/** A form in which some rows of a column store a date, such as `YYYY-MM-DD HH:MM:SS`. */
export interface StoredForm {
  readonly form: string;
  readonly rows: number;
}

/** A column as the database describes it. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type. */
  readonly databaseType: string;
  readonly type: WireType;
  /** The type of an array's items. */
  readonly items?: WireType;
  readonly nullable: boolean;
  readonly description: string | null;
  readonly extremes?: Extremes;
  /** How its texts are stored, where that lacks characters. Default: it has them all. */
  readonly encoding?: Encoding | undefined;
  /** The collation that compares its texts. Default: that of the database. */
  readonly collation?: string | undefined;
  /**
   * The forms of its dates in a sample of the rows, the most frequent first; undefined unless
   * they were sampled.
   */
  readonly storedForms?: readonly StoredForm[];
}

/** Columns that are unique together and never NULL. */
export type KeyCandidate = readonly { readonly column: string; readonly collation?: string }[];

/** Why none of a relation's unique indexes is a key, where it has one that comes close. */
export interface NearKey {
  /**
   * `children`: other tables inherit from it, and the index does not cover their rows;
   * `expression`: it is over what is computed of columns; `materialised`: nobody promises that its
   * columns are not NULL; `nullable`: they may be NULL; `prefix`: it is over the beginning of a
   * column; `unbounded`: it is over a text or blob of which the database sorts the beginning alone;
   * `unreadable`: some of them may not be read.
   */
  readonly why:
    | 'children'
    | 'expression'
    | 'materialised'
    | 'nullable'
    | 'prefix'
    | 'unbounded'
    | 'unreadable';
  readonly columns: readonly string[];
  /** Whether one of the columns is NULL in a row; undefined unless it was looked at. */
  readonly holdsNull?: boolean;
}

/** A foreign key: columns that hold the values of unique columns of a relation. */
export interface ForeignKey {
  readonly columns: readonly string[];
  /** The relation that they refer to. */
  readonly relation: RelationPath;
  /** Its columns, in the same order. */
  readonly key: readonly string[];
  /**
   * The operator that compares each column of the key, on its left, with the other, as SQL.
   * Default: `=` for all.
   */
  readonly operators?: readonly string[];
}

/** The name of a relation in the database, outermost part first. */
export type RelationPath = readonly string[];

/** What a relation is to a role of the database that callers read as. */
export interface RoleAccess {
  readonly role: string;
  /**
   * Tables that the policies of the relation read, and that the role may lock: those of one
   * snapshot are read as they are in it.
   */
  readonly policyTables: readonly RelationPath[];
  /**
   * The functions by which its policies decide, in the source's own words: they may be replaced
   * while they are called. Default: none.
   */
  readonly calls?: readonly string[];
  /** Whether they read tables that the role cannot lock. Default: false. */
  readonly readsUnlocked?: boolean;
  /**
   * What decides which rows the role is shown, in the source's own words: they have a version only
   * as long as that is so. Absent where they have none, and where they have that of the relation.
   */
  readonly definition?: string;
  /**
   * The settings by which that is decided, in lower case, where it is by these and by the row
   * itself alone. Absent where more is read for it.
   */
  readonly decidesBy?: readonly string[];
  /** Why the rows have no version, as the end of a sentence that begins with the relation. */
  readonly unversioned?: string;
}

/** A table, a view or what else the database lets one select from. */
export interface Relation {
  readonly path: RelationPath;
  /** The name that a model made of it has unless the settings choose another. */
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /** The best candidate first. */
  readonly keys: readonly KeyCandidate[];
  /**
   * The columns of each index that lets no two rows of the whole relation have the same values in
   * them, and that is checked with each statement; rows with NULL in any of them are let be. The
   * columns are those that may be read. Each has the collation of the index, where values of its
   * type are compared by one. Default: none.
   */
  readonly uniqueKeys?: readonly KeyCandidate[];
  /**
   * Where there is no key, or none but SQLite's own number of the row, the unique index that comes
   * closest to one.
   */
  readonly nearKey?: NearKey;
  readonly description: string | null;
  /** In the order of the database. Default: none. */
  readonly foreignKeys?: readonly ForeignKey[];
  /**
   * Whether the columns' types are what was declared rather than what the values are, so that the
   * settings may know better.
   */
  readonly typesAreHints?: boolean;
  /** Whether several statements of one transaction see one state of it. */
  readonly snapshots?: boolean;
  /**
   * Whether two reads of it may find different rows in one snapshot, as where it calls a function
   * that is VOLATILE. Default: false.
   */
  readonly varies?: boolean;
  /** Whether the source's data version changes with each change of its rows. */
  readonly versioned?: boolean;
  /**
   * What it is defined as, in the source's own words: its rows have a version only as long as it is
   * defined so.
   */
  readonly definition?: string;
  /** Why a view has no version, as the end of a sentence that begins with its name. */
  readonly unversioned?: string;
  /** Whether policies of the database decide who sees which of its rows. Default: false. */
  readonly hasPolicies?: boolean;
  /** What it is to the roles that callers read as. Default: none of them is known. */
  readonly roles?: readonly RoleAccess[];
  /**
   * Where its rows are, as a sentence, where that is not the database alone or the database does
   * not promise one state of them: rows and total may be of different states. Absent otherwise.
   */
  readonly distributed?: string;
  /**
   * The tables on several servers whose rows it shows, where the source can read one state of all
   * servers. Absent where it cannot.
   */
  readonly cut?: readonly RelationPath[];
  /** Why the relation cannot be read, where the database says so. */
  readonly unusable?: string;
}
