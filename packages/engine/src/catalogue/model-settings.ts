import type { WireType } from '@proj/contract';

import type { SessionRole } from './database-session.ts';
import type { StoredAs } from './stored-as.ts';

/** The announcement that something will be removed. */
export interface DeprecationSettings {
  /** The date from which callers should use something else. */
  readonly since: string;
  /** The date on which it will be removed. */
  readonly sunset?: string | undefined;
  /** What to use instead. */
  readonly note?: string | undefined;
}

/** What the settings say of one attribute. */
export interface AttributeSettings {
  /** The column that holds it; its own name where absent. */
  readonly column?: string | undefined;
  /** The wire type, where the database does not say. */
  readonly type?: WireType | undefined;
  /**
   * How SQLite stores the dates of an attribute of type `date`, `timestamp` or `timestamp_tz`;
   * `text` where absent.
   */
  readonly storedAs?: StoredAs | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly deprecated?: DeprecationSettings | undefined;
}

/** One term of a model's default order. */
export interface SortSettings {
  readonly attribute: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last' | undefined;
}

/** That attributes of a model hold the key of records of another one, which no foreign key says. */
export interface RelationSettings {
  readonly attributes: readonly string[];
  /** The model that they refer to. */
  readonly model: string;
  /** Its attributes, in the same order. */
  readonly key: readonly string[];
  /** What the relation to many is called in that model; the name of the owning model if absent. */
  readonly inverse?: string | undefined;
}

/** Attributes by name; a map has them in its order, an object those named by digits first. */
export type NamedAttributes =
  | ReadonlyMap<string, AttributeSettings>
  | Readonly<Record<string, AttributeSettings>>;

/** What the settings say of one model. */
export interface ModelSettings {
  /** The relation that it shows; its own name where absent. */
  readonly source?: string | undefined;
  readonly description?: string | undefined;
  /**
   * Columns that are unique together and never NULL, for a relation whose key the database does not
   * know.
   */
  readonly key?: readonly string[] | undefined;
  /** The attribute by which people know a record. */
  readonly label?: string | undefined;
  readonly defaultSort?: readonly SortSettings[] | undefined;
  readonly maxPageSize?: number | undefined;
  /**
   * `approximate`: the model is served although rows and total of a reply may be of different
   * states, as where its records are on several servers. Default: it is left out.
   */
  readonly distributed?: 'approximate' | undefined;
  readonly deprecated?: DeprecationSettings | undefined;
  /**
   * `all` columns, or the attributes by name; where `expose` is `all`, those that are not named are
   * visible as they are.
   */
  readonly attributes?: 'all' | NamedAttributes | undefined;
  /** Relations to one by name; one over the columns of a foreign key takes the place of its own. */
  readonly relations?: Readonly<Record<string, RelationSettings>> | undefined;
}

/** Which relations become models. */
export interface ExposeSettings {
  /** `all`: every relation that has a key; `listed`: those that `models` names. */
  readonly expose: 'all' | 'listed';
  /** By name, without the prefix. */
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** The name of the database, where it is one of several. Default: it is the only one. */
  readonly databaseName?: string | undefined;
  /** What is before the name of each model, with a dot between: `shop`. Default: nothing. */
  readonly prefix?: string | undefined;
  readonly maxPageSize: number;
  /** The largest number of `query_total`'s `up_to`. Default: 1,000,000. */
  readonly maxUpTo?: number | undefined;
  /** The roles of the database that callers read as. Default: none but that of the service. */
  readonly sessions?: readonly SessionRole[] | undefined;
}
