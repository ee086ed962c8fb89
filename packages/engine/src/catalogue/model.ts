import type { DatabaseSession } from './database-session.ts';
import type { Field } from './field.ts';
import type { DeprecationSettings } from './model-settings.ts';
import type {
  ComputedValue,
  Extreme,
  ForeignKey,
  KeyCandidate,
  ReadRelation,
  Relation,
  RoleAccess,
} from './relation.ts';

export interface Attribute extends Field {
  /** Possible values beyond those of the type, also in filters. */
  readonly extremes: readonly Extreme[];
  /** As in {@link Field}; they are compared in another form then. */
  readonly storedAs: Field['storedAs'];
  readonly nullable: boolean;
  readonly description: string | null;
  readonly deprecated: DeprecationSettings | null;
}

export interface OrderTerm {
  readonly column: string;
  readonly join?: number;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
  /** Of the unique index, where it may differ from the column's. */
  readonly collation?: string;
  /** How the column is sorted, where not as stored. */
  readonly field?: Field;
}

export interface ModelColumn extends Field {
  /** Set where the relation does not store it: statements compute it where they name it. */
  readonly computed?: ComputedValue;
}

/** What the database lacks of a model, or does not let be read. */
export interface Missing {
  /** By name; `all` where nothing can be read. */
  readonly columns: 'all' | ReadonlySet<string>;
  readonly reason: string;
}

/** Columns that lead to at most one record of another model. */
export interface ToOne {
  readonly name: string;
  readonly columns: readonly string[];
  readonly model: string;
  /** Of its unique index, in the order of the columns. */
  readonly key: KeyCandidate;
  /** As in {@link ForeignKey}; empty where all are `=`. */
  readonly operators: readonly string[];
  /** Filters of that model ask by it for records that lead to theirs. */
  readonly inverse: string | undefined;
  /** Set while the database no longer proves that it leads to one record. */
  readonly isMissing?: true;
}

/** A queryable table or view, with what is known of its relation. */
export interface Model
  extends
    Required<Pick<Relation, 'snapshots' | 'versioned'>>,
    Pick<Relation, 'description' | 'path' | 'selection' | 'distributed' | 'cut'>,
    Pick<Relation, 'definition' | 'unversioned' | 'roles'> {
  readonly name: string;
  readonly database?: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Names a record for people, even if the caller does not see it. */
  readonly label?: string;
  readonly defaultOrder: readonly OrderTerm[];
  /** Unique and never NULL: it ends every order, which makes that total. */
  readonly key: readonly OrderTerm[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly relations: ReadonlyMap<string, ToOne>;
  readonly columns: ReadonlyMap<string, ModelColumn>;
  /** Set where reads of one snapshot may differ, with whether functions see the transaction's. */
  readonly varies?: { readonly inTransaction: boolean };
  readonly maxPageSize: number;
  /** The most records to count for a caller who does not want the whole total. */
  readonly maxUpTo: number;
  readonly deprecated: DeprecationSettings | null;
  readonly missing: Missing | undefined;
}

export function accessOf(
  { roles = [] }: Pick<Model, 'roles'>,
  { role }: Pick<DatabaseSession, 'role'>,
): RoleAccess | undefined {
  return roles.find((one) => one.role === role);
}

/** The relations of the database that decide its rows, as far as known. */
export function relationsOf(model: Model): readonly ReadRelation[] {
  const { path, selection, definition } = model;
  if (selection !== undefined) return selection.reads ?? [];
  return [{ path, ...(definition !== undefined && { definition }) }];
}

export type Catalogue = ReadonlyMap<string, Model>;

/** NULL is the largest value unless `nulls` says otherwise. */
export function attributeTerm(
  attribute: Attribute,
  direction: OrderTerm['direction'],
  nulls: OrderTerm['nulls'] = direction === 'asc' ? 'last' : 'first',
): OrderTerm {
  const { column, join, nullable, storedAs, aggregate } = attribute;
  return {
    column,
    direction,
    nulls,
    nullable,
    ...(join !== undefined && { join }),
    ...((storedAs ?? aggregate) !== undefined && { field: attribute }),
  };
}
