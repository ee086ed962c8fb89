import type { DatabaseSession } from './database-session.ts';
import type { Field } from './field.ts';
import type { DeprecationSettings } from './model-settings.ts';
import type { Extreme, ForeignKey, KeyCandidate, RelationPath, RoleAccess } from './relation.ts';

/** One attribute of a model; its name is that on the wire. */
export interface Attribute extends Field {
  /** Values beyond those of the type that it may hold, and that filters take. */
  readonly extremes: readonly Extreme[];
  /** As in {@link Field}; they are compared in a form of their own then. */
  readonly storedAs: Field['storedAs'];
  readonly nullable: boolean;
  readonly description: string | null;
  readonly deprecated: DeprecationSettings | null;
}

/** One term of an order, over a column. */
export interface OrderTerm {
  readonly column: string;
  /** As in {@link Field}. */
  readonly join?: number;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  /** False where the column never holds NULL. */
  readonly nullable: boolean;
  /** The collation under which the column is unique, where it may differ from the column's own. */
  readonly collation?: string;
  /** What the column is sorted as, where that is not as it is stored. */
  readonly field?: Field;
}

/** What of a model the database does not have at the moment, or does not let be read. */
export interface Missing {
  /** The columns of its attributes by name; `all` where nothing of the model can be read. */
  readonly columns: 'all' | ReadonlySet<string>;
  /** What is wrong, for the operator. */
  readonly reason: string;
}

/** A relation to one: columns that lead to one record of another model at most. */
export interface ToOne {
  /** The name by which paths lead along it. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The model that they lead to. */
  readonly model: string;
  /** The columns of its unique index that the others are compared with, in the same order. */
  readonly key: KeyCandidate;
  /** As in {@link ForeignKey}; empty where all are `=`. */
  readonly operators: readonly string[];
  /** The name by which filters of that model ask for records that lead to theirs. */
  readonly inverse: string | undefined;
  /** Set as long as the database does not prove any more that it leads to one record. */
  readonly isMissing?: true;
}

/** Something that callers can query: a table or a view, as the settings expose it. */
export interface Model {
  readonly name: string;
  /** The name of its database among several; undefined where there is one. */
  readonly database?: string;
  readonly description: string | null;
  /** The relation that it shows. */
  readonly path: RelationPath;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The attribute by which people know a record, whether or not a caller sees it. */
  readonly label?: string;
  /** The order of a request that asks for none. */
  readonly defaultOrder: readonly OrderTerm[];
  /** Unique and never NULL: every order ends with it, which makes it total. */
  readonly key: readonly OrderTerm[];
  /** The foreign keys of the relation, whether or not a caller sees both ends. */
  readonly foreignKeys: readonly ForeignKey[];
  /** The relations to one by name, whether or not a caller sees both ends. */
  readonly relations: ReadonlyMap<string, ToOne>;
  /** The columns of the relation, visible or not, by their name. */
  readonly columns: ReadonlyMap<string, Field>;
  /** Whether several statements of one transaction see one state of it. */
  readonly snapshots: boolean;
  /**
   * Set where two reads of it may find different records in one snapshot: a reply is then made of
   * one evaluation of its list, by one statement. Whether functions that it calls see the snapshot
   * of a transaction.
   */
  readonly varies?: { readonly inTransaction: boolean };
  /** Whether the source's data version changes with each change of its records. */
  readonly versioned: boolean;
  /** Where its records are, as a sentence, if records and total may be of different states. */
  readonly distributed?: string;
  /** The tables on several servers whose rows it shows, which are read in one state of all. */
  readonly cut?: readonly RelationPath[];
  /** What its relation is defined as: the records have a version only as long as it is that. */
  readonly definition?: string;
  /** Why a view has no version, as the end of a sentence that begins with its name. */
  readonly unversioned?: string;
  /** What its relation is to the roles that callers read as. Default: none of them is known. */
  readonly roles?: readonly RoleAccess[];
  /** The largest page size that is answered. */
  readonly maxPageSize: number;
  /** To how many records a caller may have the total counted who does not want all of it. */
  readonly maxUpTo: number;
  readonly deprecated: DeprecationSettings | null;
  /** Undefined as long as all of it is there. */
  readonly missing: Missing | undefined;
}

/** What a model is to the role that callers of a session read as. */
export function accessOf(
  { roles = [] }: Pick<Model, 'roles'>,
  { role }: Pick<DatabaseSession, 'role'>,
): RoleAccess | undefined {
  return roles.find((one) => one.role === role);
}

/** All models of an engine by name. */
export type Catalogue = ReadonlyMap<string, Model>;
