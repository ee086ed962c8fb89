import type { WireType } from '@proj/contract';

import type { SessionRole } from './database-session.ts';
import type { StoredAs } from './field.ts';

export interface DeprecationSettings {
  readonly since: string;
  readonly sunset?: string | undefined;
  readonly note?: string | undefined;
}

export interface AttributeSettings {
  /** Default: its own name. */
  readonly column?: string | undefined;
  /** An expression in the words of the database, in place of a column. Needs a type. */
  readonly sql?: string | undefined;
  /** `row`: the expression depends on its row's columns alone. Default: lists have no version. */
  readonly reads?: 'row' | undefined;
  /** The column whose JSON holds it at the path, in place of a column. Needs a type. */
  readonly json?: string | undefined;
  readonly path?: readonly (string | number)[] | undefined;
  /** Where the database does not say. */
  readonly type?: WireType | undefined;
  /** For `date`, `timestamp` and `timestamp_tz` on SQLite. Default: `text`. */
  readonly storedAs?: StoredAs | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly deprecated?: DeprecationSettings | undefined;
}

export interface SortSettings {
  readonly attribute: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last' | undefined;
}

/** A relation without a foreign key: attributes that hold another model's key. */
export interface RelationSettings {
  readonly attributes: readonly string[];
  readonly model: string;
  readonly key: readonly string[];
  /** The relation to many. Default: the owning model's name. */
  readonly inverse?: string | undefined;
}

/** Maps keep their order; objects put names of digits first. */
export type NamedAttributes =
  | ReadonlyMap<string, AttributeSettings>
  | Readonly<Record<string, AttributeSettings>>;

export interface ModelSettings {
  /** The relation it shows. Default: its own name. */
  readonly source?: string | undefined;
  /** A selection in the words of the database, in place of a relation. Needs a key. */
  readonly sql?: string | undefined;
  /** With `sql`: the relations that alone decide its rows. Default: its lists have no version. */
  readonly reads?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** Unique together and never NULL, where the database knows no key. */
  readonly key?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly defaultSort?: readonly SortSettings[] | undefined;
  readonly maxPageSize?: number | undefined;
  /** `approximate` allows rows and total of different states. Default: the model is left out. */
  readonly distributed?: 'approximate' | undefined;
  readonly deprecated?: DeprecationSettings | undefined;
  /** `all`, or by name. With `expose: all`, unnamed ones are visible as they are. */
  readonly attributes?: 'all' | NamedAttributes | undefined;
  /** By name; replaces the relation of a foreign key over the same columns. */
  readonly relations?: Readonly<Record<string, RelationSettings>> | undefined;
}

export interface ExposeSettings {
  /** `all` relations with a key, or those that `models` names. */
  readonly expose: 'all' | 'listed';
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** Its name among several databases. Default: the only one. */
  readonly databaseName?: string | undefined;
  /** Before each model's name, with a dot between: `shop`. Default: nothing. */
  readonly prefix?: string | undefined;
  readonly maxPageSize: number;
  /** The largest `up_to` of `query_total`. Default: 1,000,000. */
  readonly maxUpTo?: number | undefined;
  /** The database roles of callers. Default: only the service's. */
  readonly sessions?: readonly SessionRole[] | undefined;
}

export interface ModelError {
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
}

/** What the settings ask for and the database lacks, with a remedy. */
export interface CatalogueReport extends ModelError {
  readonly model: string;
  /** The place in the `ExposeSettings`. */
  readonly path: readonly string[];
  /** Asked for by name, so the report is an error. */
  readonly listed: boolean;
}
